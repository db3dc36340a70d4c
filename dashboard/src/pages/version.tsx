import { Link, useLocation } from 'wouter'
import { ApiError } from '../api.ts'
import { type App, appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Facts } from '../components/facts.tsx'
import formStyles from '../components/form.module.css'
import { Section } from '../components/page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { ReadState } from '../components/read-state.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import { type FullDeploy, type Site, useDeploy, useSite } from '../site/site-data.ts'
import { SITE_TEXTS } from '../texts/site.ts'
import { DeleteVersion } from './site/delete-version.tsx'
import { Differences } from './site/differences.tsx'
import { OutLink } from './site/out-link.tsx'
import { useLive } from './site/use-live.tsx'
import { VersionFiles } from './site/version-files.tsx'
import { VersionSettings } from './site/version-settings.tsx'
import { SetLive } from './site/versions.tsx'

const { version: TEXTS, versions: NAMES } = SITE_TEXTS

interface VersionPageProps {
  readonly slug: string
  readonly id: string
}

/** One version of a site: its files, how they are served, and in what it differs from what is live. */
export default function VersionPage({ slug, id }: VersionPageProps) {
  return (
    <AppPage slug={slug} page="site" title={<Value text={nameOf(id)} />}>
      {(app) => <Contents app={app} id={id} />}
    </AppPage>
  )
}

/** What is no number is shown as it stands in the address. */
function nameOf(id: string): string {
  return /^\d{1,15}$/.test(id) ? NAMES.name(Number(id)) : id
}

function Contents({ app, id }: { readonly app: App; readonly id: string }) {
  const { slug } = app
  const site = useSite(slug)
  const query = useDeploy(slug, id)
  if (query.error instanceof ApiError && query.error.code === 'deploy_not_found')
    return (
      <>
        <p>{TEXTS.gone}</p>
        <p>
          <Link href={`${appPath(slug)}/sites`}>{TEXTS.toSite}</Link>
        </p>
      </>
    )
  if (site.data === undefined) return <ReadState query={site} reading={SITE_TEXTS.reading} />
  if (query.data === undefined) return <ReadState query={query} reading={NAMES.reading} />
  return <Version app={app} deploy={query.data} site={site.data} />
}

interface VersionProps {
  readonly app: App
  readonly deploy: FullDeploy
  readonly site: Site
}

function Version({ app: { slug, role }, deploy, site }: VersionProps) {
  const [, navigate] = useLocation()
  const live = useLive(slug)
  const { version, message, author, createdAt, files, bytes, isLive, url } = deploy
  const told = message === '' ? TEXTS.noMessage : <Value text={message} />
  return (
    <>
      <h1>{NAMES.name(version)}</h1>
      <Facts
        facts={[
          [TEXTS.facts.message, told],
          [
            TEXTS.facts.made,
            <>
              <Time at={createdAt} /> {SITE_TEXTS.address.by} <Value text={author} />
            </>,
          ],
          [TEXTS.facts.holds, SITE_TEXTS.deploy.holds(files, bytes)],
          [TEXTS.facts.state, isLive ? TEXTS.isLive : TEXTS.isKept],
        ]}
      />
      <div className={formStyles.acts}>
        {url !== null && <OutLink href={url}>{NAMES.preview}</OutLink>}
        {role !== 'viewer' && !isLive && (
          <>
            <SetLive version={version} site={site} live={live} />
            <DeleteVersion
              slug={slug}
              deploy={deploy}
              onDeleted={() => navigate(`${appPath(slug)}/sites`, { replace: true })}
            />
          </>
        )}
      </div>
      <ReadProblem error={live.error} />
      {!isLive && site.live !== null && (
        <Section title={SITE_TEXTS.differences.title} isWide>
          <Differences slug={slug} deploy={deploy} live={site.live} />
        </Section>
      )}
      <Section title={SITE_TEXTS.settings.title} isWide>
        <VersionSettings settings={deploy.settings} />
      </Section>
      <Section title={SITE_TEXTS.files.title} isWide>
        <VersionFiles files={deploy.list} />
      </Section>
      {live.toast}
    </>
  )
}
