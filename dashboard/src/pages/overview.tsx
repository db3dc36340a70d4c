import { Tabs } from '@base-ui/react/tabs'
import { useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Snippet } from '../components/snippet.tsx'
import { Value } from '../components/value.tsx'
import { Waiting } from '../components/waiting.tsx'
import { collectionAddress, SNIPPETS } from '../snippets.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import styles from './overview.module.css'

const LANGUAGES = Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[]
/** The name in the examples, where the app has no collection yet. */
const FIRST_COLLECTION = 'notes'

export function OverviewPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="overview">
      {() => (
        <>
          <h1>
            <Value text={slug} />
          </h1>
          <Contents slug={slug} />
        </>
      )}
    </AppPage>
  )
}

function Contents({ slug }: { readonly slug: string }) {
  const { data: names, error, refetch } = useOfApp<string[]>(slug, '/collections')
  const { title, reading, none, noneExplained } = APP_TEXTS.collections
  return (
    <>
      <Connect address={collectionAddress(location.origin, slug, names?.[0] ?? FIRST_COLLECTION)} />
      <section className={styles.section} aria-labelledby="collections">
        <h2 id="collections">{title}</h2>
        <ReadProblem error={error} onAgain={refetch} />
        {names === undefined && error === null && <Waiting reading={reading} />}
        {names?.length === 0 && (
          <p className={styles.dim}>
            {none}. {noneExplained}
          </p>
        )}
        <ul>
          {names?.map((name) => (
            <li key={name} className={styles.row}>
              <Value text={name} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Connect({ address }: { readonly address: string }) {
  const { title, languages, key, certificate, of } = APP_TEXTS.connect
  return (
    <section className={styles.section} aria-labelledby="connect">
      <h2 id="connect">{title}</h2>
      <Tabs.Root defaultValue={LANGUAGES[0]}>
        <Tabs.List className={styles.tabs} aria-label={languages}>
          {LANGUAGES.map((language) => (
            <Tabs.Tab key={language} value={language} className={styles.tab}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map((language) => (
          <Tabs.Panel key={language} value={language}>
            <Snippet text={SNIPPETS[language](address)} label={of(language)} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <p className={styles.dim}>
        {key} {certificate}
      </p>
    </section>
  )
}
