import { AppError } from '../../errors.ts'

/** A request's target, taken apart and not decoded yet. */
export interface RequestTarget {
  readonly path: string
  /** What follows the first `?`, or nothing. */
  readonly query: string
}

const ORIGIN = /^https?:\/\/([^/?]*)/i

/** Takes a target in origin or absolute form (RFC 9112, section 3.2) apart. */
export function splitTarget(target: string): RequestTarget {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '')
  const mark = local.indexOf('?')
  if (mark < 0) return { path: local, query: '' }
  return { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

/**
 * The host that a request is for, with its port: a target in absolute form names it, else the header `Host` (RFC 9112,
 * section 3.2.2).
 * @throws AppError `invalid_request`
 */
export function authorityOf(target: string, host: string | undefined): string | undefined {
  if (target.startsWith('/')) return host
  const [, authority] = ORIGIN.exec(target) ?? []
  if (authority?.includes('@'))
    throw new AppError(
      'invalid_request',
      'the URL may have no user information; take what is before the @ out',
    )
  return authority ?? host
}

/**
 * The parts of a path between its slashes, each percent-decoded once, so that an encoded slash stays inside its part.
 * A `+` is a plus sign.
 * @throws AppError `invalid_path`
 */
export function pathParts(path: string): string[] {
  const parts = path.split('/')
  parts.shift()
  return path.includes('%') ? parts.map(decodePart) : parts
}

function decodePart(part: string): string {
  const text = percentDecoded(part)
  if (text !== undefined) return text
  throw new AppError(
    'invalid_path',
    'the path is not valid: a % in it should begin an escape such as %2F, and the escapes should be UTF-8',
  )
}

/** The parameters of a query string, by their decoded names. */
export interface QueryParameters {
  readonly values: ReadonlyMap<string, string>
  /** Names that stand there more than once. */
  readonly repeated: ReadonlySet<string>
}

const NONE: QueryParameters = Object.freeze({
  values: new Map<string, string>(),
  repeated: new Set<string>(),
})

/**
 * Reads a query string as forms write it: `+` is a space, and everything else may be percent-encoded or not.
 * @throws AppError `invalid_parameter`
 */
export function queryParameters(query: string): QueryParameters {
  if (query === '') return NONE
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const mark = pair.indexOf('=')
    const name = decodeParameter(mark < 0 ? pair : pair.slice(0, mark))
    if (values.has(name)) repeated.add(name)
    values.set(name, mark < 0 ? '' : decodeParameter(pair.slice(mark + 1)))
  }
  return { values, repeated }
}

/** The parts of a query string that can be decoded, as it is read where others can't. */
export function readableParts(query: string): string {
  if (!query.includes('%')) return query
  return query
    .split('&')
    .filter((pair) => percentDecoded(pair) !== undefined)
    .join('&')
}

function decodeParameter(raw: string): string {
  const text = percentDecoded(raw.includes('+') ? raw.replaceAll('+', ' ') : raw)
  if (text !== undefined) return text
  throw new AppError(
    'invalid_parameter',
    'the query string is not valid: a % in it should begin an escape such as %22, and the escapes should be UTF-8',
  )
}

function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
