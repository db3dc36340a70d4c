import { appPath } from '../apps-data.ts'
import { SETTINGS_TEXTS } from '../texts/settings.ts'
import { DownloadLink } from './button-link.tsx'
import styles from './rows.module.css'

const texts = SETTINGS_TEXTS.exporting

/** All documents of an app as files, for whoever may read them. */
export function ExportApp({ slug }: { readonly slug: string }) {
  return (
    <section className={styles.section} aria-labelledby="export">
      <h2 id="export">{texts.title}</h2>
      <p>{texts.explained}</p>
      <div>
        <DownloadLink href={`/_/api${appPath(slug)}/export`}>{texts.button}</DownloadLink>
      </div>
    </section>
  )
}
