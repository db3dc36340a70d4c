import type { IncomingHttpHeaders } from 'node:http'

/** No longer than a name that is meant as one, and too short for a key: what stands there may be anything. */
const KEY_HEADER = /^x-([a-z][a-z0-9-]{0,22})-api-key$/

/**
 * What to tell a client whose credentials were not found, or no good, where it sent a header for an API key that has
 * another service's name.
 * @param known the headers that are looked at, in small letters
 */
export function unknownKeyHeaderHint(headers: IncomingHttpHeaders, known: readonly string[]): string {
  for (const header of Object.keys(headers)) {
    const name = known.includes(header) ? undefined : KEY_HEADER.exec(header)?.[1]
    if (name !== undefined)
      return (
        `. The header ${header} is not looked at: this server's operator can let it in, with the placeholders of ` +
        `its clients, by the option --service-name, with the name as its placeholders have it`
      )
  }
  return ''
}
