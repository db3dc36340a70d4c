import type { AppSize } from '../../app-size.ts'
import { Facts } from '../../components/facts.tsx'
import styles from '../../components/rows.module.css'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'

const { storage: texts } = UPKEEP_TEXTS

/** The room that an app takes. */
export function Storage({ size }: { readonly size: AppSize }) {
  return (
    <section className={styles.section} aria-labelledby="storage">
      <h2 id="storage">{texts.title}</h2>
      <Facts facts={[[texts.file, texts.ofFile(size.bytes)]]} />
    </section>
  )
}
