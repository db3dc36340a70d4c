import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'
import type { Arrival } from './body-budget.ts'
import { traceOf } from './request-trace.ts'

/** The client went away before its request was complete; nobody is left to answer. */
export class ClientGone extends Error {}

const NOTHING = Buffer.alloc(0)
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reads a request's whole body. A client that waits for `100 Continue` gets it here, so that none sends a body that
 * would be refused unread.
 * @throws AppError `body_too_large`, `invalid_request` for an encoding or charset other than none and UTF-8, or for
 * a body that comes too slowly, `overloaded` where too many bodies are held
 * @throws ClientGone
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly bodyBytes: number; readonly expectsContinue: boolean },
): Promise<Buffer> {
  refuseEncodings(request)
  if (declaredLength(request) > options.bodyBytes) throw bodyTooLarge(options.bodyBytes)
  if (options.expectsContinue) response.writeContinue()
  return collect(request, options.bodyBytes)
}

/** The length that a request declares for its body, NaN where it comes in chunks. */
export function declaredLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN
  return Number(headers['content-length'] ?? 0)
}

/** Any media type will do, for many clients send the wrong one; how the text is encoded has to be known. */
function refuseEncodings({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'invalid_request',
      'compressed bodies are not supported; send the body without Content-Encoding',
    )
  const type = headers['content-type']
  const charset = type === undefined ? undefined : CHARSET.exec(type)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new AppError(
      'invalid_request',
      'the body should be UTF-8, and its charset be declared so or not at all',
    )
}

function bodyTooLarge(bodyBytes: number): AppError {
  return new AppError('body_too_large', `a request body may have at most ${bodyBytes} bytes`)
}

function collect(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  const trace = traceOf(request)
  const { budget } = trace
  return new Promise((resolve, reject) => {
    const body = new GrowingBody(declaredLength(request))
    const stop = (): void => {
      budget.unwatch(arrival)
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('close', onClose)
    }
    const giveUp = (error: unknown): void => {
      stop()
      reject(error)
    }
    const arrival: Arrival = {
      fresh: 0,
      seen: false,
      giveUp: (error) => {
        trace.isLast = true
        giveUp(error)
      },
    }
    const onData = (chunk: Buffer): void => {
      arrival.fresh += chunk.length
      try {
        if (body.length + chunk.length > bodyBytes) throw bodyTooLarge(bodyBytes)
        budget.take(trace, body.growthFor(chunk))
        body.add(chunk)
      } catch (error) {
        giveUp(error)
      }
    }
    const onEnd = (): void => {
      stop()
      resolve(body.bytes())
    }
    const onClose = (): void => giveUp(new ClientGone())
    budget.watch(arrival)
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', onClose)
    // Whatever goes wrong with a request closes it, too; the listener keeps the process from ending.
    request.on('error', () => {})
  })
}

/**
 * Bytes that come in pieces. They are copied into one buffer, for a list of them would take a hundred bytes for each
 * piece, and a client chooses how small these are. The buffer doubles, whatever length was declared: room is made for
 * what has come, not for what was promised.
 */
class GrowingBody {
  length = 0
  private buffer: Buffer = NOTHING
  private readonly declared: number

  /** @param declared the length that was declared, NaN where it isn't known */
  constructor(declared: number) {
    this.declared = declared
  }

  /** The memory that another piece will take in addition. */
  growthFor(chunk: Buffer): number {
    return Math.max(0, this.capacityFor(chunk) - this.buffer.length)
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (this.length === 0) {
      this.buffer = chunk
    } else {
      const capacity = this.capacityFor(chunk)
      if (capacity > this.buffer.length) {
        const larger = Buffer.allocUnsafeSlow(capacity)
        larger.set(this.buffer.subarray(0, this.length))
        this.buffer = larger
      }
      this.buffer.set(chunk, this.length)
    }
    this.length = length
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  private capacityFor(chunk: Buffer): number {
    const length = this.length + chunk.length
    if (this.length === 0 || length <= this.buffer.length) return Math.max(length, this.buffer.length)
    const doubled = Math.max(length, 2 * this.buffer.length)
    return this.declared >= length ? Math.min(doubled, this.declared) : doubled
  }
}
