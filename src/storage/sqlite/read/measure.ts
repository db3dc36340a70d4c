import type { AppSize } from '../../store.ts'
import type { Connection } from '../files/connection.ts'

/** Documents that are looked at in a collection: of one with more, fewer where an app has hundreds of these. */
const LOOKED_AT = 32
const LEAST_LOOKED_AT = 4
const LOOKED_AT_IN_APP = 4000

const COLLECTIONS = `
  SELECT c.id, c.name, c.documents, count(i.id), coalesce(sum(i.is_automatic), 0)
  FROM collections c LEFT JOIN indexes i ON i.collection = c.id AND i.state <> 'dropping'
  WHERE c.last_place > 0 GROUP BY c.id ORDER BY c.name`
const PAGES = `
  SELECT (page_count - freelist_count) * page_size
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`

/** How much an app holds, by what is kept and by a few documents of each collection: it takes no time to speak of. */
export function measure(connection: Connection): AppSize {
  const rows = connection.prepare(COLLECTIONS).all() as unknown as [number, string, number, number, number][]
  const long = rows.filter(([, , documents]) => documents > LOOKED_AT).length
  const looks = Math.max(LEAST_LOOKED_AT, Math.min(LOOKED_AT, Math.floor(LOOKED_AT_IN_APP / long)))
  const [bytes] = connection.row<[number]>(PAGES)!
  return {
    bytes,
    collections: rows.map(([id, name, documents, indexes, automaticIndexes]) => {
      const table = `c${id}`
      const mean = documents > LOOKED_AT ? sampledMean(connection, table, looks) : meanOf(connection, table)
      return { name, documents, approximateBytes: Math.round(documents * mean), indexes, automaticIndexes }
    }),
  }
}

/** The mean length of documents. SQLite knows the length of a value without reading it. @param from with a column `doc` */
function meanOf(connection: Connection, from: string, ...parameters: number[]): number {
  return connection.row<[number | null]>(`SELECT avg(length(doc)) FROM ${from}`, ...parameters)![0] ?? 0
}

/** The same of some documents, each in the middle of as many stretches between the first and the last one. */
function sampledMean(connection: Connection, table: string, looks: number): number {
  const [first, last] = connection.row<[number, number]>(
    `SELECT (SELECT min(seq) FROM ${table}), (SELECT max(seq) FROM ${table})`,
  )!
  const one = `(SELECT doc FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1)`
  let total = 0
  for (let n = 0; n < looks; n++)
    total += meanOf(connection, one, first + Math.floor(((last - first) * (2 * n + 1)) / (2 * looks)))
  return total / looks
}
