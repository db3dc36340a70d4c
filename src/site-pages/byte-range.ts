/** Which bytes of a file, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** A single one (RFC 9110, section 14.1.2), of lengths that occur. */
const FORM = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/**
 * Reads the value of `Range`. Whoever asks for several parts, or in words that mean nothing, gets the whole (RFC 9110,
 * section 14.2).
 */
export function byteRange(range: string, length: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, from, to, end] = FORM.exec(range) ?? []
  if (end !== undefined) {
    const first = Math.max(0, length - Number(end))
    return first < length ? { first, last: length - 1 } : 'unsatisfiable'
  }
  if (from === undefined) return 'whole'
  const first = Number(from)
  const last = to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (to !== '' && Number(to) < first) return 'whole'
  return first < length ? { first, last } : 'unsatisfiable'
}
