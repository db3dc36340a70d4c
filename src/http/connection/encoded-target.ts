import { CREDENTIALS } from '../request/parameters.ts'

/** A request's target at the beginning of a line that is whole (RFC 9112, section 3). */
const REQUEST_LINE = /^[A-Z-]{3,20} (\/[^\s?]*)(?:\?(\S*))? HTTP\/1\.[01]\r?\n/
const SHOWN_CHARACTERS = 512
/** Whose values are credentials. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(
  Object.keys(CREDENTIALS).map((name) => name.toLowerCase()),
)
const TOKEN_PATH = /^\/create-token(?:\/|$)/i

/** What Node tells of a request that its parser gave up on. */
export interface RefusedPacket {
  readonly rawPacket?: Buffer
  /** Where in the packet that was. */
  readonly bytesParsed?: number
}

/**
 * How to write those parts of a request's target that hold characters outside ASCII: the path, the parameters, or both,
 * each percent-encoded. Undefined where that can't be told, or could show a credential.
 */
export function encodedTarget({ rawPacket, bytesParsed }: RefusedPacket): string | undefined {
  if (rawPacket === undefined || bytesParsed === undefined) return undefined
  const line = utf8(rawPacket.subarray(rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1))
  const [, path, query] = REQUEST_LINE.exec(line ?? '') ?? []
  if (path === undefined || TOKEN_PATH.test(path)) return undefined
  const parameters = query?.split('&').filter((pair) => isForeign(pair) && !isSecret(pair)) ?? []
  const written = [isForeign(path) ? [path] : [], parameters.length > 0 ? [parameters.join('&')] : []].flat()
  if (written.length === 0) return undefined
  const encoded = written.join('?').replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
  return encoded.length > SHOWN_CHARACTERS ? `${encoded.slice(0, SHOWN_CHARACTERS)}…` : encoded
}

/** The first line, where it is UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  const end = bytes.indexOf('\n')
  if (end < 0) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end + 1))
  } catch {
    return undefined
  }
}

function isForeign(text: string): boolean {
  return /[^\u0021-\u007e]/.test(text)
}

function isSecret(pair: string): boolean {
  return SECRET_PARAMETERS.has(pair.slice(0, pair.indexOf('=')).toLowerCase())
}
