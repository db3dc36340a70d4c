/** Many documents that something is to be done to. */
export type BulkTarget =
  /** Ids as JSON texts. */
  | { readonly kind: 'chosen'; readonly ids: readonly string[] }
  | { readonly kind: 'matching'; readonly q: string }

/** Of a query in an address, in characters as they are sent; a server takes 64 KiB of address in all. */
const QUERY_CHARACTERS = 60_000

/** From here on the count is typed before anything is done, and a deletion can't be undone. */
export const MANY = 20

/** The query that finds them; undefined where it would be too long. */
export function targetQuery(target: BulkTarget): string | undefined {
  if (target.kind === 'matching') return target.q.trim() || '{}'
  const q = `{"_id":{"$in":[${target.ids.join()}]}}`
  return encodeURIComponent(q).length > QUERY_CHARACTERS ? undefined : q
}
