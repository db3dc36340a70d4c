const REDACTED = '[redacted]'
/** An API key or a token of an account, also one with its end cut off. */
const KEY = /shf_[0-9a-z]{4,}|shfa_[\w-]{4,}/gi
/** The beginning of a JSON object in base64url, and what a token has behind it. */
const TOKEN = /eyJ[\w-]{4,}(?:\.[\w-]*){0,2}/g
const SECRET = new RegExp(`${KEY.source}|${TOKEN.source}`, 'i')
const TOKEN_PATH = /(\/create-token\/).*/is
/** What may be a key that was made elsewhere: where no document's id stands, nothing else is so long. */
const LONG_WORD = /[\w-]{24,}/g
/** Of a title in a path, as `what-is-new-in-2026` has. */
const READABLE_PART = /^(?:\d{0,8}|[A-Z]?[a-z]{1,20})$/
const ESCAPE = /%([0-9a-f]{2})/gi
/** How often a path may be encoded on top of itself and still be looked through. */
const DECODINGS = 5
const PATH_CHARACTERS = 512

/** Whether a text holds something of the form of an API key or a token. */
export function holdsSecret(text: string): boolean {
  return SECRET.test(text)
}

/** A text for the log with everything taken out that has the form of an API key or a token. */
export function redact(text: string): string {
  return text.replace(KEY, REDACTED).replace(TOKEN, REDACTED)
}

/** A collection's name as it may be told; empty where somebody wrote a key or a token in its place. */
export function shownCollection(name: string): string {
  return holdsSecret(name) ? '' : name
}

/** The decoded path of a page, without what may be a secret: long words that are none of a language. */
export function redactedPagePath(path: string): string {
  return redact(path).replace(LONG_WORD, (word) =>
    word.split(/[-_]/).every((part) => READABLE_PART.test(part)) ? word : REDACTED,
  )
}

/**
 * A request's target for the log: without its query string, which may hold a token and a query, without the key of
 * `/create-token/<api_key>`, and shortened.
 */
export function redactedPath(target: string): string {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const shown = visible(path).slice(0, PATH_CHARACTERS)
  return mark < 0 ? shown : `${shown}?${REDACTED}`
}

function visible(path: string): string {
  const decoded = path.includes('%') ? fullyDecoded(path) : path
  if (decoded === undefined) return REDACTED
  if (TOKEN_PATH.test(decoded)) return decoded.replace(TOKEN_PATH, `$1${REDACTED}`)
  const known = redact(decoded)
  const shown = decoded.startsWith('/apps/') ? known : known.replace(LONG_WORD, REDACTED)
  return shown === decoded ? path : shown
}

/** Every escape of one byte, again and again, broken ones left as they are; undefined where it doesn't come to an end. */
function fullyDecoded(path: string): string | undefined {
  let text = path
  for (let i = 0; i < DECODINGS; i++) {
    const decoded = text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (decoded === text) return text
    text = decoded
  }
  return undefined
}
