import { useSearchParams } from 'wouter'
import { useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Field } from '../components/field.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import tableStyles from '../components/table.module.css'
import { TableHead } from '../components/table-head.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import { Waiting } from '../components/waiting.tsx'
import { ACTIVITY_TEXTS } from '../texts/settings.ts'
import styles from './activity.module.css'

interface Entry {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
  /** Where it was done from; the owner's alone to see. */
  readonly address?: string | null
}

/** The parameter of the address that says which changes are shown. */
const FILTER = 'q'

export default function ActivityPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="activity">
      {({ role }) => (
        <>
          <h1>{ACTIVITY_TEXTS.title}</h1>
          {role === 'viewer' ? <p>{ACTIVITY_TEXTS.onlyEditors}</p> : <Activity slug={slug} />}
        </>
      )}
    </AppPage>
  )
}

function Activity({ slug }: { readonly slug: string }) {
  const [search, setSearch] = useSearchParams()
  const { data: entries, error, refetch } = useOfApp<Entry[]>(slug, '/audit?l=1000')
  const { explained, reading, filter, filterHint, none, noneFound } = ACTIVITY_TEXTS
  const wanted = search.get(FILTER) ?? ''
  const found = entries?.filter((entry) => textOf(entry).includes(wanted.toLowerCase())) ?? []
  return (
    <>
      <p className={styles.dim}>{explained}</p>
      <div className={styles.filter}>
        <Field
          name="filter"
          label={filter}
          hint={filterHint}
          type="search"
          value={wanted}
          onChange={({ currentTarget: { value } }) =>
            setSearch(value === '' ? {} : { [FILTER]: value }, { replace: true })
          }
          autoComplete="off"
        />
      </div>
      <ReadProblem error={error} onAgain={refetch} />
      {entries === undefined && error === null && <Waiting reading={reading} />}
      {entries !== undefined && found.length === 0 && (
        <p className={styles.dim}>{entries.length === 0 ? none : noneFound(entries.length)}</p>
      )}
      {found.length > 0 && <Entries entries={found} />}
    </>
  )
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const { columns } = ACTIVITY_TEXTS
  return (
    <table className={tableStyles.table}>
      <TableHead columns={columns} />
      <tbody>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a trail have no other name, and never change.
          <Row key={index} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ entry }: { readonly entry: Entry }) {
  const { columns } = ACTIVITY_TEXTS
  return (
    <tr>
      <th scope="row">
        <Time at={entry.at} />
      </th>
      <td data-label={columns.actor}>
        <Value text={entry.actor} />
        {entry.address != null && (
          <>
            {' '}
            <Value className={styles.dim} text={entry.address} />
          </>
        )}
      </td>
      <td data-label={columns.action}>{entry.action}</td>
      <td data-label={columns.subject}>
        <Value text={entry.subject} />
      </td>
      <td data-label={columns.details}>
        {Object.keys(entry.details).length > 0 && (
          <code>
            <Value text={detailsOf(entry)} />
          </code>
        )}
      </td>
    </tr>
  )
}

function detailsOf({ details }: Entry): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')
}

function textOf(entry: Entry): string {
  const { at, actor, action, subject, address } = entry
  return [at, actor, action, subject, address ?? '', detailsOf(entry)].join('\n').toLowerCase()
}
