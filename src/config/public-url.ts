import { invalid } from './settings.ts'

/** What the URL parser would mend without a word: spaces, backslashes, missing slashes. */
const FORM = /^https:\/\/[^\s\\/?#@]+\/?$/i

/**
 * The origin that browsers reach the server by, in the form that they send it in.
 * @throws AppError `invalid_configuration`
 */
export function publicUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = FORM.test(text) ? URL.parse(text) : null
  // A name that is no name, or a port that is none, is no URL.
  if (url !== null && url.href === `${url.origin}/`) return url.origin
  throw invalid(
    `${JSON.stringify(text)} is no address of this server (--public-url, SHEAF_PUBLIC_URL): write https://, its name ` +
      'and where needed its port, as in https://db.example.org or https://db.example.org:8443, and nothing behind that',
  )
}
