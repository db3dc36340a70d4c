import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../errors.ts'
import { ClientGone, declaredLength, refuseEncodings } from './receive-body.ts'
import { stateOf } from './request-state.ts'

/** Bytes of a body that wait for whoever takes them; then its client waits, too. */
const WAITING_BYTES = 64 * 1024
/** What is under way of it, here and on the threads that it goes to. */
const UNDERWAY_BYTES = 1024 * 1024

export interface StreamOptions {
  readonly expectsContinue: boolean
  /** Without it, a client may take for ever. */
  readonly leastRate?: LeastRate | undefined
}

/** What a client has to send while it is waited for, on average. */
export interface LeastRate {
  readonly bytesPerSecond: number
  /** For how long it may send nothing, after it has sent enough. */
  readonly overMs: number
}

/**
 * A request's body as it comes, of any length and for as long as it takes; a client sends no more than is taken. A client
 * that waits for `100 Continue` gets it when the loop begins. Leaving the loop ends the wait at once; the rest of the body is not read.
 * @throws AppError `invalid_request` for an encoding or charset other than none and UTF-8, or where it comes too slowly;
 * `overloaded`; in the loop
 * @throws ClientGone
 */
export function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue, leastRate }: StreamOptions,
): AsyncIterable<Buffer> {
  const begin = (): BodyStream => {
    refuseEncodings(request)
    const state = stateOf(request)
    state.bodyMemory.take(state, UNDERWAY_BYTES)
    state.isStreamed = true
    if (expectsContinue) response.writeContinue()
    return new BodyStream(request, leastRate)
  }
  return { [Symbol.asyncIterator]: begin }
}

class BodyStream implements AsyncIterator<Buffer> {
  private readonly request: IncomingMessage
  private readonly leastRate: LeastRate | undefined
  /** For which the client may still send nothing; what it sends makes it more. */
  private graceMs: number
  private chunks: Buffer[] = []
  private bytes = 0
  private isOver: boolean
  private failure: unknown
  private wake = (): void => {}

  constructor(request: IncomingMessage, leastRate: LeastRate | undefined) {
    this.request = request
    this.leastRate = leastRate
    this.graceMs = leastRate?.overMs ?? 0
    const state = stateOf(request)
    // Of a request that declares no body, Node may not tell the end.
    this.isOver = declaredLength(request) === 0
    this.failure = state.refusal
    state.giveUp = this.fail
    request.on('data', this.take)
    request.on('end', this.finish)
    request.on('close', this.leave)
    // Whatever goes wrong with a request closes it, too; the listener keeps the process from ending.
    request.on('error', () => {})
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.bytes === 0 && !this.isOver && this.failure === undefined) await this.wait()
    if (this.failure !== undefined) {
      this.stop()
      throw this.failure
    }
    if (this.bytes === 0) return this.return()
    // One alone is not copied: a long body would leave its length in garbage twice.
    const value = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
    if (this.leastRate !== undefined) {
      const { bytesPerSecond, overMs } = this.leastRate
      this.graceMs = Math.min(overMs, this.graceMs + (1000 * value.length) / bytesPerSecond)
    }
    this.chunks = []
    this.bytes = 0
    return { done: false, value }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.stop()
    this.finish()
    return Promise.resolve({ done: true, value: undefined })
  }

  private async wait(): Promise<void> {
    const { request, leastRate } = this
    request.resume()
    const come = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    if (leastRate === undefined) return come
    const giveUp = (): void => {
      stateOf(request).closeAfter = true
      this.fail(tooSlow(leastRate))
    }
    const timer = setTimeout(giveUp, this.graceMs)
    const since = performance.now()
    await come
    clearTimeout(timer)
    this.graceMs = Math.max(0, this.graceMs - (performance.now() - since))
  }

  private stop(): void {
    const { request } = this
    stateOf(request).giveUp = undefined
    request.off('data', this.take)
    request.off('end', this.finish)
    request.off('close', this.leave)
  }

  private readonly take = (chunk: Buffer): void => {
    this.chunks.push(chunk)
    this.bytes += chunk.length
    stateOf(this.request).requestBytes += chunk.length
    if (this.bytes >= WAITING_BYTES) this.request.pause()
    this.wake()
  }

  private readonly finish = (): void => {
    this.isOver = true
    this.wake()
  }

  private readonly leave = (): void => {
    // It is closed behind its end, too.
    if (!this.isOver) this.fail(new ClientGone())
  }

  private readonly fail = (error: unknown): void => {
    this.failure ??= error
    this.wake()
  }
}

function tooSlow({ bytesPerSecond }: LeastRate): AppError {
  return new AppError(
    'invalid_request',
    `the body comes too slowly, with fewer than ${bytesPerSecond} bytes a second; send it again`,
  )
}
