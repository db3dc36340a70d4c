import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { App } from '../../apps-data.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/page.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { type Deploy, type Site, versionPage } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { DeleteVersion } from './delete-version.tsx'
import { OutLink } from './out-link.tsx'
import styles from './site.module.css'
import type { Live } from './use-live.tsx'

const { versions: TEXTS, back: BACK } = SITE_TEXTS

/** How many are shown at first, and by each press of a button. */
const SHOWN = 20

interface VersionsProps {
  readonly app: App
  readonly query: UseQueryResult<readonly Deploy[]>
  readonly site: Site
  readonly live: Live
}

/** Every version that is kept, the newest first. */
export function Versions({ app, query, site, live }: VersionsProps) {
  const { data } = query
  return (
    <Section title={TEXTS.title} isWide>
      <ReadState query={query} reading={TEXTS.reading} />
      {data?.length === 0 && <None app={app} url={site.url} />}
      {data !== undefined && data.length > 0 && (
        <VersionTable app={app} deploys={data} site={site} live={live} />
      )}
    </Section>
  )
}

interface NoneProps extends Pick<Site, 'url'> {
  readonly app: App
}

function None({ app: { slug, role }, url }: NoneProps) {
  if (role === 'viewer') return <p className={styles.dim}>{TEXTS.noneShared}</p>
  return (
    <>
      <p className={styles.dim}>
        {TEXTS.none}. {TEXTS.noneExplained}
      </p>
      <Snippet text={`sheaf deploy FOLDER --app ${slug}`} label={SITE_TEXTS.commandLine} />
      {url !== null && (
        <p className={styles.dim}>
          {TEXTS.willBe} <Value text={url} />
        </p>
      )}
    </>
  )
}

interface VersionTableProps extends Omit<VersionsProps, 'query'> {
  readonly deploys: readonly Deploy[]
}

function VersionTable({ app: { slug, role }, deploys, site, live }: VersionTableProps) {
  const [most, setMost] = useState(SHOWN)
  return (
    <>
      <Table
        label={TEXTS.title}
        columns={TEXTS.columns}
        plain={['acts']}
        rows={deploys.slice(0, most)}
        keyOf={({ version }) => String(version)}
        cells={(deploy) => ({
          version: <Named slug={slug} deploy={deploy} />,
          made: (
            <>
              <Time at={deploy.createdAt} /> {SITE_TEXTS.address.by} <Value text={deploy.author} />
            </>
          ),
          holds: SITE_TEXTS.deploy.holds(deploy.files, deploy.bytes),
          acts: (
            <div className={styles.acts}>
              {deploy.url !== null && (
                <OutLink href={deploy.url} label={TEXTS.previewOf(deploy.version)}>
                  {TEXTS.preview}
                </OutLink>
              )}
              {role !== 'viewer' && !deploy.isLive && (
                <>
                  <SetLive version={deploy.version} site={site} live={live} />
                  <DeleteVersion slug={slug} deploy={deploy} />
                </>
              )}
            </div>
          ),
        })}
      />
      {deploys.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + SHOWN)}>
          {TEXTS.more(Math.min(SHOWN, deploys.length - most))}
        </Button>
      )}
    </>
  )
}

interface NamedProps {
  readonly slug: string
  readonly deploy: Deploy
}

function Named({ slug, deploy: { version, message, isLive } }: NamedProps) {
  return (
    <>
      <Link href={versionPage(slug, version)}>{TEXTS.name(version)}</Link>
      {isLive && <span className={styles.isLive}>{TEXTS.live}</span>}
      {message !== '' && (
        <p className={styles.message}>
          <Value text={message} />
        </p>
      )}
    </>
  )
}

interface SetLiveProps extends Pick<VersionsProps, 'site' | 'live'> {
  readonly version: number
}

/** Makes a version live that is not. */
export function SetLive({ version, site, live }: SetLiveProps) {
  const isBack = site.live !== null && version < site.live
  return (
    <Button isBusy={live.pending?.to === version} onClick={() => live.set({ from: site.live, to: version })}>
      {isBack ? BACK.to(version) : BACK.forth(version)}
    </Button>
  )
}
