import type { CustomFetchOptions } from 'openid-client'

/** Bytes that an answer may have, decoded. */
const MOST_BYTES = 1024 * 1024
/** Statuses whose answers have no body (Fetch, section 2.2.3). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** Fetches an answer to its end, and gives one up that is too long. @throws what `fetch` throws, Error */
export async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit)
  const { status, statusText, headers } = response
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  // Leaving the loop ends the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`)
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
  }
  const body = WITHOUT_BODY.has(status) ? null : new Blob(chunks)
  return new Response(body, { status, statusText, headers })
}
