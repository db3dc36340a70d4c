import { randomBytes } from 'node:crypto'
import { holdsSecret } from '../log/redact.ts'

const SANE = /^[A-Za-z0-9._-]{1,128}$/

/** Names requests, so that an answer and a line of the log can be put together. */
export class RequestIds {
  /** Of this process; a counter behind it costs less than random bits for each request. */
  private readonly prefix = randomBytes(6).toString('hex')
  private count = 0

  /** The client's own `X-Request-Id` where that is harmless in a log, else a new one. */
  of(given: string | string[] | undefined): string {
    // Node joins repeated headers with a comma, which is not sane.
    return typeof given === 'string' && SANE.test(given) && !holdsSecret(given) ? given : this.next()
  }

  next(): string {
    return `${this.prefix}-${(this.count++).toString(36)}`
  }
}
