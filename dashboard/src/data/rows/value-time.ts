import type { PreviewValue } from './preview-row.ts'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID_TIME_LENGTH = 10
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const ISO_DATE = /^\d{4}-\d\d-\d\d$/
const INTEGER = /^\d{10,13}$/
/** From 2001 to 2049; other numbers are rarely meant as times. */
const TIMES_MS = { from: 1_000_000_000_000, to: 2_500_000_000_000 }

/** The time that a value looks like, in ISO 8601; undefined where it looks like none. */
export function valueTime(value: PreviewValue): string | undefined {
  if (value.kind === 'number') return numberTime(value.source)
  return value.kind === 'text' && value.length === undefined ? textTime(value.text) : undefined
}

/** Of seconds or milliseconds since 1970. */
function numberTime(source: string): string | undefined {
  if (!INTEGER.test(source)) return undefined
  const milliseconds =
    source.length === 13 ? Number(source) : source.length === 10 ? Number(source) * 1000 : 0
  return milliseconds >= TIMES_MS.from && milliseconds < TIMES_MS.to
    ? new Date(milliseconds).toISOString()
    : undefined
}

/** An `_id` is shown with its quotes. */
const QUOTED = /^"(.*)"$/

function textTime(given: string): string | undefined {
  const text = given.replace(QUOTED, '$1')
  if (ULID.test(text)) return ulidTime(text)
  if (!ISO_TIME.test(text) && !ISO_DATE.test(text)) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** https://github.com/ulid/spec: the first ten characters are milliseconds since 1970. */
function ulidTime(text: string): string {
  let milliseconds = 0
  for (const character of text.slice(0, ULID_TIME_LENGTH))
    milliseconds = milliseconds * CROCKFORD.length + CROCKFORD.indexOf(character)
  return new Date(milliseconds).toISOString()
}
