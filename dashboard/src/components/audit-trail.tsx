import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { AUDIT_TEXTS as TEXTS } from '../texts/audit.ts'
import { useFilters } from '../use-filters.ts'
import { useSettled } from '../use-settled.ts'
import styles from './audit-trail.module.css'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import formStyles from './form.module.css'
import { MoreOfList } from './more-of-list.tsx'
import { ReadState } from './read-state.tsx'
import { Table } from './table.tsx'
import { Time } from './time.tsx'
import { Value } from './value.tsx'

/** What can be searched for, by the names of the parameters: in the page's address as well as of the server. */
export type AuditFilterName = keyof typeof TEXTS.filters

interface AuditTrailProps {
  /** Under `/_/api`, such as `/server/audit`. */
  readonly path: string
  /** Behind which it is kept, so that what is renewed of these renews it, too. */
  readonly queryKey: readonly string[]
  readonly filters: readonly AuditFilterName[]
}

interface Entry {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  /** The app that it was done to or through; not there in that app's own trail, and null where there is none. */
  readonly appSlug?: string | null
  readonly details: Readonly<Record<string, unknown>>
  /** Where it was done from; not there where it is not told. */
  readonly address?: string | null
}

const SETTLES_MS = 300
/** Entries that are asked for at a time. */
const PAGE = 50

/** Who changed what and when, the newest first, searched by what stands in the page's address. */
export function AuditTrail({ path, queryKey, filters }: AuditTrailProps) {
  const { search, of, set, clear } = useFilters(filters)
  const settled = useSettled(search, SETTLES_MS)
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'audit', settled],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams(settled)
      asked.set('l', String(PAGE))
      if (pageParam !== undefined) asked.set('before', pageParam)
      return askApi<Entry[]>(`${path}?${asked}`, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
  })
  const entries = query.data?.pages.flat()
  return (
    <>
      <search className={styles.filters}>
        {filters.map((name) => (
          <Field
            key={name}
            name={name}
            label={TEXTS.filters[name]}
            placeholder={TEXTS.filterHints[name]}
            type="search"
            value={of(name)}
            onChange={({ currentTarget: { value } }) => set(name, value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        ))}
      </search>
      <ReadState query={query} reading={TEXTS.reading} />
      {entries?.length === 0 && (
        <div className={formStyles.acts} role="status">
          <p>{settled === '' ? TEXTS.none : TEXTS.noneFound}</p>
          {settled !== '' && <Button onClick={clear}>{TEXTS.clear}</Button>}
        </div>
      )}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} />}
      <MoreOfList query={query} button={TEXTS.more} />
    </>
  )
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Table
      label={TEXTS.list}
      columns={TEXTS.columns}
      rows={entries}
      keyOf={({ id }) => id}
      cells={(entry) => ({
        at: <Time at={entry.at} />,
        actor: <Who entry={entry} />,
        action: <code>{entry.action}</code>,
        subject: <What entry={entry} />,
        details: detailsOf(entry),
      })}
    />
  )
}

function Who({ entry: { actor, address } }: { readonly entry: Entry }) {
  return (
    <>
      <Value text={actor} />
      {address != null && (
        <span className={styles.beside}>
          {' '}
          {TEXTS.from} <Value text={address} />
        </span>
      )}
    </>
  )
}

function What({ entry: { action, subject, appSlug } }: { readonly entry: Entry }) {
  const isNamed = action.startsWith('app.')
  return (
    <>
      <Value text={subject} />
      {appSlug != null && !isNamed && (
        <span className={styles.beside}>
          {' '}
          {TEXTS.inApp} <Value text={appSlug} />
        </span>
      )}
    </>
  )
}

/** Only the key of a site has no website: its pages are where the site is. */
function detail(name: string, value: unknown): string {
  const isOfSite = name === 'websites' && Array.isArray(value) && value.length === 0
  return isOfSite ? TEXTS.pagesOfSite : JSON.stringify(value)
}

function detailsOf({ details }: Entry) {
  const told = Object.entries(details).map(([name, value]) => `${name}: ${detail(name, value)}`)
  if (told.length === 0) return null
  return (
    <code>
      <Value text={told.join(', ')} />
    </code>
  )
}
