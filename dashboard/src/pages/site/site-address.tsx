import type { App } from '../../apps-data.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { type Deploy, isOnlyHere, type Site } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { sentence } from '../../texts.ts'
import { OutLink } from './out-link.tsx'
import styles from './site.module.css'
import type { Live } from './use-live.tsx'

const { address: TEXTS } = SITE_TEXTS

interface SiteAddressProps {
  readonly site: Site
  readonly deploys: readonly Deploy[]
  readonly role: App['role']
  readonly live: Live
}

/** Where the site is, and which version is there. */
export function SiteAddress({ site: { url, problem }, deploys, role, live }: SiteAddressProps) {
  const shown = deploys.find(({ isLive }) => isLive)
  const isPending = live.pending?.to === null
  return (
    <Section title={TEXTS.title}>
      {problem !== null && <p className={styles.warning}>{showUnseen(sentence(problem.message))}</p>}
      {url !== null && (
        <>
          <p className={styles.address}>
            <Value text={url} />
          </p>
          <div className={formStyles.acts}>
            {shown !== undefined && (
              <OutLink href={url} look="main">
                {TEXTS.open}
              </OutLink>
            )}
            <CopyButton text={url} label={TEXTS.copied} />
          </div>
          {isOnlyHere(url) && <p className={styles.dim}>{TEXTS.onlyHere}</p>}
        </>
      )}
      {shown === undefined && deploys.length > 0 && <p>{TEXTS.none}</p>}
      {shown !== undefined && <Shown deploy={shown} />}
      {shown !== undefined && role !== 'viewer' && (
        <div className={formStyles.acts}>
          <Button isBusy={isPending} onClick={() => live.set({ from: shown.version, to: null })}>
            {TEXTS.takeOff}
          </Button>
        </div>
      )}
      <ReadProblem error={live.error} />
    </Section>
  )
}

function Shown({ deploy: { version, message, author, createdAt } }: { readonly deploy: Deploy }) {
  return (
    <>
      <p>
        <strong>{TEXTS.live(version)}</strong>
        {message !== '' && (
          <>
            {': '}
            <Value text={message} />
          </>
        )}
      </p>
      <p className={styles.dim}>
        {TEXTS.made} <Time at={createdAt} /> {TEXTS.by} <Value text={author} />
      </p>
    </>
  )
}
