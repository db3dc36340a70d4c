import { useChangePreferences, usePreferences } from '../../preferences.ts'
import type { View } from '../view-url.ts'

/** What was looked for. */
export type Asked = Pick<View, 'q' | 's' | 'f'>

export interface NamedQuery extends Asked {
  readonly name: string
}

/** Of one collection. */
export interface KeptQueries {
  /** The newest first, each once. */
  readonly asked: readonly Asked[]
  readonly named: readonly NamedQuery[]
}

const MOST_ASKED = 50
/** Of the 64 KiB that an account's preferences may have. */
const MOST_LENGTH = 30_000
const NOTHING: KeptQueries = { asked: [], named: [] }

/** The queries of a collection that an account has asked or named. */
export function useQueryHistory(slug: string, collection: string) {
  const { data } = usePreferences()
  const { mutate } = useChangePreferences()
  const key = `${slug}/${collection}`
  const kept = data?.queries?.[key] ?? NOTHING
  const change = (next: KeptQueries): void => {
    // What was asked last is written last, and what was asked long ago is left out first.
    const { [key]: _, ...others } = data?.queries ?? {}
    mutate({ queries: withinLength({ ...others, [key]: next }) })
  }
  return {
    ...kept,
    note: (asked: Asked): void => {
      if (data === undefined || isSameQuery(asked, kept.asked[0])) return
      const rest = kept.asked.filter((each) => !isSameQuery(each, asked))
      change({ ...kept, asked: [asked, ...rest].slice(0, MOST_ASKED) })
    },
    name: (name: string, asked: Asked): void =>
      change({ ...kept, named: [...kept.named.filter((each) => each.name !== name), { ...asked, name }] }),
    forget: (name: string): void =>
      change({ ...kept, named: kept.named.filter((each) => each.name !== name) }),
  }
}

export function isSameQuery(one: Asked, other: Asked | undefined): boolean {
  return one.q === other?.q && one.s === other.s && one.f === other.f
}

function withinLength(queries: Readonly<Record<string, KeptQueries>>): Readonly<Record<string, KeptQueries>> {
  const kept = { ...queries }
  for (const key of Object.keys(kept)) {
    while (JSON.stringify(kept).length > MOST_LENGTH && kept[key]!.asked.length > 0)
      kept[key] = { ...kept[key]!, asked: kept[key]!.asked.slice(0, -1) }
    if (kept[key]!.asked.length === 0 && kept[key]!.named.length === 0) delete kept[key]
  }
  return kept
}
