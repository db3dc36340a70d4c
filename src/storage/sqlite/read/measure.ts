import type { AppSize } from '../../store.ts'
import type { Connection } from '../files/connection.ts'
import { isHidden } from '../files/schema.ts'

/** Documents that are looked at in a collection: of one with more, fewer where an app has hundreds of these. */
const LOOKED_AT = 32
const LEAST_LOOKED_AT = 4
const LOOKED_AT_IN_APP = 4000
/** Stretches without documents that are left out, the widest ones first. */
const FREE_RANGES = 4
/** What part of a stretch has to be free. */
const WIDE = 1 / 8
/** Where one is looked for: of imports of one size, each as far from the next, none ends there. */
const GOLDEN_SECTION = 0.382

const COLLECTIONS = `
  SELECT coalesce(c.stored_in, c.id), c.name, c.documents, count(i.id), coalesce(sum(i.is_automatic), 0)
  FROM collections c LEFT JOIN indexes i ON i.collection = c.id AND i.state <> 'dropping'
  WHERE c.last_place > 0 AND NOT ${isHidden('c.name')} GROUP BY c.id ORDER BY c.name`
const PAGES = `
  SELECT (page_count - freelist_count) * page_size, freelist_count * page_size
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`

/** How much an app holds, by what is kept and by a few documents of each collection: it takes no time to speak of. */
export function measure(connection: Connection): AppSize {
  const rows = connection.prepare(COLLECTIONS).all() as unknown as [number, string, number, number, number][]
  const long = rows.filter(([, , documents]) => documents > LOOKED_AT).length
  const looks = Math.max(LEAST_LOOKED_AT, Math.min(LOOKED_AT, Math.floor(LOOKED_AT_IN_APP / long)))
  const [bytes, freeBytes] = connection.row<[number, number]>(PAGES)!
  return {
    ...{ bytes, freeBytes },
    collections: rows.map(([storedIn, name, documents, indexes, automaticIndexes]) => {
      const table = `c${storedIn}`
      const mean = documents > LOOKED_AT ? sampledMean(connection, table, looks) : meanOf(connection, table)
      return { name, documents, approximateBytes: Math.round(documents * mean), indexes, automaticIndexes }
    }),
  }
}

/** The mean length of documents. SQLite knows the length of a value without reading it. @param from with a column `doc` */
function meanOf(connection: Connection, from: string, ...parameters: number[]): number {
  return connection.row<[number | null]>(`SELECT avg(length(doc)) FROM ${from}`, ...parameters)![0] ?? 0
}

/** The same of some documents, each in the middle of as many stretches of the row ids that are taken. */
function sampledMean(connection: Connection, table: string, looks: number): number {
  const one = `(SELECT doc FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1)`
  const ranges = rangesOf(connection, table)
  const width = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  let total = 0
  for (let n = 0; n < looks; n++)
    total += meanOf(connection, one, rowIdAt(ranges, Math.floor((width * (2 * n + 1)) / (2 * looks))))
  return total / looks
}

/** The row id with a number of them before it. */
function rowIdAt(ranges: readonly Range[], before: number): number {
  let left = before
  for (const { first, last } of ranges) {
    if (left <= last - first) return first + left
    left -= last - first + 1
  }
  return ranges.at(-1)!.last
}

interface Range {
  readonly first: number
  readonly last: number
}

/** Between the first row id and the last one, without the widest of what imports left free. */
function rangesOf(connection: Connection, table: string): Range[] {
  const [first, last] = connection.row<[number, number]>(
    `SELECT (SELECT min(seq) FROM ${table}), (SELECT max(seq) FROM ${table})`,
  )!
  const around = `SELECT (SELECT max(seq) FROM ${table} WHERE seq <= ?), (SELECT min(seq) FROM ${table} WHERE seq > ?)`
  const ranges: Range[] = [{ first, last }]
  for (let n = 0; n < FREE_RANGES; n++) {
    const widest = ranges.reduce((one, other) =>
      other.last - other.first > one.last - one.first ? other : one,
    )
    const width = widest.last - widest.first
    const within = widest.first + Math.floor(width * GOLDEN_SECTION)
    const [below, above] = connection.row<[number, number]>(around, within, within)!
    if (above - below <= width * WIDE) break
    ranges.splice(
      ranges.indexOf(widest),
      1,
      { first: widest.first, last: below },
      { first: above, last: widest.last },
    )
  }
  return ranges
}
