const MESSAGE_CHARACTERS = 600

/** Why no certificate came, in one line that can be logged. */
export class AcmeError extends Error {
  /** The authority's name for it, such as `urn:ietf:params:acme:error:rateLimited` (RFC 8555, section 6.7). */
  readonly type: string | undefined
  /** How long the authority wants to be left alone; 0 where it didn't say. */
  readonly retryAfterMs: number

  constructor(
    message: string,
    options: { type?: string | undefined; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(oneLine(message), { cause: options.cause })
    this.name = 'AcmeError'
    this.type = options.type
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** Makes an error of a problem document (RFC 9457), which the authority sends and may leave half empty. */
export function problemError(what: string, problem: unknown, retryAfterMs = 0): AcmeError {
  const { type, detail, subproblems } = isRecord(problem) ? problem : {}
  const first = Array.isArray(subproblems) && isRecord(subproblems[0]) ? subproblems[0].detail : undefined
  const reasons = [detail, first].filter((reason) => typeof reason === 'string')
  const name = typeof type === 'string' ? type : undefined
  const reason = reasons.length === 0 ? (name ?? 'the authority gave no reason') : reasons.join(': ')
  return new AcmeError(`${what}: ${reason}`, { type: name, retryAfterMs })
}

/** Texts from outside must not break a log's lines, nor fill them. */
export function oneLine(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return printable.length <= MESSAGE_CHARACTERS ? printable : `${printable.slice(0, MESSAGE_CHARACTERS)}…`
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
