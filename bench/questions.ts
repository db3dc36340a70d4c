import type { LoadRequest } from './load/load.ts'
import type { SheafServer } from './sheaf.ts'

/** More than a measurement asks of what takes long, and than Sheaf has room to keep the answers of. */
const SPELLINGS = 20_000
const BITS = 15

/**
 * Requests for documents by a query that Sheaf can't answer from memory: the same question never comes in the same
 * words twice, for white space spells its number.
 * @param queryOf the query of each; its meaning may be the same
 */
export function newQuestions(
  server: SheafServer,
  collection: string,
  queryOf: (index: number) => object,
): LoadRequest {
  const paths = Array.from({ length: SPELLINGS }, (_, index) => {
    const q = encodeURIComponent(JSON.stringify(queryOf(index)) + spelt(index))
    return server.request('GET', `${collection}?q=${q}`).path
  })
  return { ...server.request('GET', collection), path: paths[0]!, paths }
}

function spelt(number: number): string {
  return Array.from({ length: BITS }, (_, bit) => ((number >> bit) & 1 ? '\t' : ' ')).join('')
}
