import { Tabs } from '@base-ui/react/tabs'
import { Link } from 'wouter'
import { documentsOf, useAppSize } from '../app-size.ts'
import { type App, appPath, useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { type CollectionsProps, CollectionsTable } from '../components/collections-table.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { ReadState } from '../components/read-state.tsx'
import { Snippet } from '../components/snippet.tsx'
import { Value } from '../components/value.tsx'
import { attentionOf, endsSoon } from '../key-attention.ts'
import type { AppKey } from '../key-rules.ts'
import { collectionAddress, type Example, SNIPPETS } from '../snippets.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { byteCount } from '../texts.ts'
import styles from './overview.module.css'

const { collections: COLLECTIONS, numbers: NUMBERS } = APP_TEXTS
const LANGUAGES = Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[]
/** The name in the examples, where the app has no collection yet. */
const FIRST_COLLECTION = 'notes'

export function OverviewPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="overview">
      {({ role }) => (
        <>
          <h1>
            <Value text={slug} />
          </h1>
          <Contents slug={slug} role={role} />
        </>
      )}
    </AppPage>
  )
}

function Contents({ slug, role }: Pick<App, 'slug' | 'role'>) {
  const query = useAppSize(slug)
  const first = query.data?.collections[0]?.name
  const address = collectionAddress(location.origin, slug, first ?? FIRST_COLLECTION)
  return (
    <>
      <Numbers slug={slug} role={role} />
      <Attention slug={slug} />
      <Connect example={{ address, saves: first === undefined }} />
      <section className={styles.section} aria-labelledby="collections">
        <h2 id="collections">{COLLECTIONS.title}</h2>
        <ReadState query={query} reading={COLLECTIONS.reading} />
        {query.data !== undefined && <Collections slug={slug} collections={query.data.collections} />}
      </section>
    </>
  )
}

function Numbers({ slug, role }: Pick<App, 'slug' | 'role'>) {
  const { data: size } = useAppSize(slug)
  const { data: keys } = useOfApp<AppKey[]>(slug, '/keys')
  const noKeys = role === 'owner' ? NUMBERS.noKeys : NUMBERS.noKeysShared
  const ending = keys?.filter((key) => endsSoon(key, Date.now())).length ?? 0
  return (
    <ul className={styles.numbers}>
      <NumberCard
        name={NUMBERS.documents}
        value={size && documentsOf(size).toLocaleString()}
        note={size && NUMBERS.in(size.collections.length)}
      />
      <NumberCard name={NUMBERS.stored} value={size && byteCount(size.bytes)} note={NUMBERS.ofWhat} />
      <NumberCard
        name={NUMBERS.keys}
        value={keys?.length.toLocaleString()}
        note={keys && (keys.length === 0 ? noKeys : endingWords(ending))}
      />
    </ul>
  )
}

function endingWords(ending: number): string {
  return ending === 0 ? NUMBERS.noneEnds : NUMBERS.endSoon(ending)
}

interface NumberCardProps {
  readonly name: string
  /** Undefined where it is not known yet; its room is there before. */
  readonly value: string | undefined
  readonly note: string | undefined
}

function NumberCard({ name, value = '…', note = '\u00a0' }: NumberCardProps) {
  return (
    <li className={styles.number}>
      <h2>{name}</h2>
      <p className={styles.value}>{value}</p>
      <p className={styles.dim}>{note}</p>
    </li>
  )
}

/** Keys that something should be done about; nothing where there is none. */
function Attention({ slug }: { readonly slug: string }) {
  const { data: keys, error, refetch } = useOfApp<AppKey[]>(slug, '/keys')
  const told = (keys ?? []).flatMap((key) => attentionOf(key, Date.now()).map((text) => ({ key, text })))
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  if (told.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="attention">
      <h2 id="attention">{APP_TEXTS.attention}</h2>
      <ul>
        {told.map(({ key: { id, name }, text }) => (
          <li key={`${id} ${text}`} className={styles.row}>
            <Link href={`${appPath(slug)}/keys/${encodeURIComponent(id)}`}>
              <Value text={name} />
            </Link>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Collections({ slug, collections }: CollectionsProps) {
  if (collections.length === 0)
    return (
      <p className={styles.dim}>
        {COLLECTIONS.none}. {COLLECTIONS.noneExplained}
      </p>
    )
  return <CollectionsTable slug={slug} collections={collections} />
}

function Connect({ example }: { readonly example: Example }) {
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
            <Snippet text={SNIPPETS[language](example)} label={of(language)} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <p className={styles.dim}>
        {key} {certificate}
      </p>
    </section>
  )
}
