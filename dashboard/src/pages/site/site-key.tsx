import { useState } from 'react'
import { Link } from 'wouter'
import { askApi } from '../../api.ts'
import { type App, appPath, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { Value } from '../../components/value.tsx'
import type { SiteKey } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { MakeSiteKey } from './make-site-key.tsx'
import styles from './site.module.css'

const { key: TEXTS } = SITE_TEXTS

interface SiteKeySectionProps {
  readonly app: App
  /** Null where the site has none. */
  readonly siteKey: SiteKey | null
}

/** By what the pages of a site use the app's data. */
export function SiteKeySection({ app: { slug, role }, siteKey }: SiteKeySectionProps) {
  const isOwner = role === 'owner'
  return (
    <Section title={TEXTS.title}>
      {siteKey === null ? (
        <p className={styles.dim}>
          {TEXTS.none} {TEXTS.noneExplained}
        </p>
      ) : (
        <Shown slug={slug} siteKey={siteKey} mayChange={isOwner} />
      )}
      {!isOwner && <p className={styles.dim}>{TEXTS.onlyOwner}</p>}
      {isOwner && (
        <div className={formStyles.acts}>
          {siteKey === null ? <MakeSiteKey slug={slug} /> : <RevokeSiteKey slug={slug} />}
        </div>
      )}
    </Section>
  )
}

interface ShownProps {
  readonly slug: string
  readonly siteKey: SiteKey
  readonly mayChange: boolean
}

function Shown({ slug, siteKey: { id, key, sentence }, mayChange }: ShownProps) {
  return (
    <>
      <p>
        <Value text={sentence} />
      </p>
      <Snippet text={key} label={TEXTS.value} isValue />
      <p className={styles.dim}>{TEXTS.publicNote}</p>
      {mayChange && (
        <p>
          <Link href={`${appPath(slug)}/keys/${encodeURIComponent(id)}`}>{TEXTS.toKey}</Link>
        </p>
      )}
    </>
  )
}

function RevokeSiteKey({ slug }: { readonly slug: string }) {
  const refresh = useRefreshApps()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{TEXTS.revoke}</Button>
      {isOpen && (
        <ActDialog
          title={TEXTS.revoke}
          explained={TEXTS.revoked}
          button={TEXTS.revoke}
          act={() => askApi(`${appPath(slug)}/site/key`, { method: 'DELETE' })}
          onDone={async () => {
            await refresh()
            close()
          }}
          onClose={close}
        />
      )}
    </>
  )
}
