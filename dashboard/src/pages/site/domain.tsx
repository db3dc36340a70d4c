import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { appPath, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { Value } from '../../components/value.tsx'
import { isOnlyHere, type SiteDomain } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { OutLink } from './out-link.tsx'
import styles from './site.module.css'

const { domains: TEXTS } = SITE_TEXTS

interface DomainProps {
  readonly slug: string
  /** That of the site by its own host, at the same port; null without one. */
  readonly siteUrl: string | null
  readonly domain: SiteDomain
  readonly isOwner: boolean
}

/** A name of one's own: whether it was checked, and what has to be where for that. */
export function Domain({ slug, siteUrl, domain, isOwner }: DomainProps) {
  const { domain: name, state } = domain
  const confirmed = useConfirmed()
  const refresh = useRefreshApps()
  const path = `${appPath(slug)}/site/domains/${encodeURIComponent(name)}`
  const check = useMutation({
    mutationFn: () => confirmed(() => askApi(`${path}/check`, { method: 'POST' })),
    onSettled: refresh,
  })
  return (
    <li className={styles.domain}>
      <h3>
        <Value text={name} />
      </h3>
      <p className={state === 'verified' ? styles.verified : styles.waits}>{TEXTS.states[state]}</p>
      {state === 'waiting' && isOwner && (
        <>
          <Leads siteUrl={siteUrl} />
          <Proof domain={domain} />
        </>
      )}
      <ReadProblem error={check.error} />
      <div className={formStyles.acts}>
        {state === 'verified' && <OutLink href={addressOf(name, siteUrl)}>{TEXTS.open}</OutLink>}
        {state === 'waiting' && isOwner && (
          <Button
            look="main"
            aria-label={TEXTS.checkOf(name)}
            isBusy={check.isPending}
            onClick={() => check.isPending || check.mutate()}
          >
            {TEXTS.check}
          </Button>
        )}
        {isOwner && <RemoveDomain name={name} path={path} />}
      </div>
    </li>
  )
}

function addressOf(domain: string, siteUrl: string | null): string {
  return Object.assign(new URL(siteUrl ?? `https://${domain}`), { hostname: domain }).href
}

/** How the name comes to lead here: where sites are on this machine alone, there is no host to lead to. */
function Leads({ siteUrl }: Pick<DomainProps, 'siteUrl'>) {
  if (siteUrl === null || isOnlyHere(siteUrl)) return <p>{TEXTS.leads}</p>
  return (
    <p>
      {TEXTS.leadsBy} <Value text={new URL(siteUrl).hostname} />
    </p>
  )
}

/** Either of two shows whose the domain is. */
function Proof({ domain: { record, file } }: Pick<DomainProps, 'domain'>) {
  return (
    <>
      <p>{TEXTS.record(record.type)}</p>
      <Named name={TEXTS.recordName} text={record.name} />
      <Named name={TEXTS.recordValue} text={record.value} />
      <p>{TEXTS.file}</p>
      <Named name={TEXTS.fileAddress} text={file.url} />
      <Named name={TEXTS.fileBody} text={file.body} />
    </>
  )
}

function Named({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <p className={formStyles.note}>{name}</p>
      <Snippet text={text} label={name} isValue />
    </div>
  )
}

function RemoveDomain({ name, path }: { readonly name: string; readonly path: string }) {
  const refresh = useRefreshApps()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button look="quiet" aria-label={TEXTS.removeOf(name)} onClick={() => setIsOpen(true)}>
        {TEXTS.remove}
      </Button>
      {isOpen && (
        <ActDialog
          title={TEXTS.removeTitle(name)}
          explained={TEXTS.removed}
          button={TEXTS.removeButton}
          act={() => askApi(path, { method: 'DELETE' })}
          onDone={async () => {
            close()
            await refresh()
          }}
          onClose={close}
        />
      )}
    </>
  )
}
