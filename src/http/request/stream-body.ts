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
  /** For which a client may send nothing while it is waited for; without it, for ever. */
  readonly idleMs?: number | undefined
}

/**
 * A request's body as it comes, of any length and for as long as it takes; a client sends no more than is taken. A client
 * that waits for `100 Continue` gets it when the loop begins. Leaving the loop ends the wait at once; the rest of the body is not read.
 * @throws AppError `invalid_request` for an encoding or charset other than none and UTF-8, or where nothing comes any more;
 * `overloaded`; in the loop
 * @throws ClientGone
 */
export function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue, idleMs }: StreamOptions,
): AsyncIterable<Buffer> {
  const begin = (): BodyStream => {
    refuseEncodings(request)
    const state = stateOf(request)
    state.bodyMemory.take(state, UNDERWAY_BYTES)
    state.isStreamed = true
    if (expectsContinue) response.writeContinue()
    return new BodyStream(request, idleMs)
  }
  return { [Symbol.asyncIterator]: begin }
}

class BodyStream implements AsyncIterator<Buffer> {
  private readonly request: IncomingMessage
  private readonly idleMs: number | undefined
  private chunks: Buffer[] = []
  private bytes = 0
  private isOver: boolean
  private failure: unknown
  private wake = (): void => {}

  constructor(request: IncomingMessage, idleMs: number | undefined) {
    this.request = request
    this.idleMs = idleMs
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
    const value = Buffer.concat(this.chunks)
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
    const { request, idleMs } = this
    request.resume()
    const giveUp = (): void => {
      stateOf(request).closeAfter = true
      this.fail(idle(idleMs!))
    }
    const timer = idleMs === undefined ? undefined : setTimeout(giveUp, idleMs)
    await new Promise<void>((resolve) => {
      this.wake = resolve
    })
    clearTimeout(timer)
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

function idle(idleMs: number): AppError {
  return new AppError(
    'invalid_request',
    `nothing of the body has come for ${Math.round(idleMs / 1000)} seconds; send it again`,
  )
}
