import type { App } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { ReadState } from '../components/read-state.tsx'
import { useDeploys, useSite } from '../site/site-data.ts'
import { SITE_TEXTS as TEXTS } from '../texts/site.ts'
import { DeployForm } from './site/deploy-form.tsx'
import { Domains } from './site/domains.tsx'
import { KeptVersions } from './site/kept-versions.tsx'
import styles from './site/site.module.css'
import { SiteAddress } from './site/site-address.tsx'
import { SiteKeySection } from './site/site-key.tsx'
import { useLive } from './site/use-live.tsx'
import { Versions } from './site/versions.tsx'

/** What an app serves by host name, and how it gets there. */
export default function SitePage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="site">
      {(app) => (
        <>
          <h1>{TEXTS.title}</h1>
          <p className={styles.dim}>{TEXTS.explained}</p>
          <Contents app={app} />
        </>
      )}
    </AppPage>
  )
}

function Contents({ app }: { readonly app: App }) {
  const { slug, role } = app
  const site = useSite(slug)
  const deploys = useDeploys(slug)
  const live = useLive(slug)
  const { data } = site
  if (data === undefined) return <ReadState query={site} reading={TEXTS.reading} />
  const hasDeploys = deploys.data !== undefined && deploys.data.length > 0
  return (
    <>
      {(hasDeploys || data.problem !== null) && (
        <SiteAddress site={data} deploys={deploys.data ?? []} role={role} live={live} />
      )}
      {role === 'viewer' ? (
        <p>{TEXTS.onlyLook}</p>
      ) : (
        <DeployForm slug={slug} site={data} offersKey={role === 'owner' && data.key === null} />
      )}
      <Versions app={app} query={deploys} site={data} live={live} />
      {(hasDeploys || data.key !== null) && <SiteKeySection app={app} siteKey={data.key} />}
      <Domains app={app} site={data} />
      <KeptVersions slug={slug} kept={data.kept} deploys={deploys.data} isOwner={role === 'owner'} />
      {live.toast}
    </>
  )
}
