import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../errors.ts'
import { ReadQuantum } from '../connection/read-quantum.ts'
import type { IncomingBody } from './body-memory-limit.ts'
import { stateOf } from './request-state.ts'

/** The request will never be complete, for its client went away or was refused: there is nothing to answer. */
export class ClientGone extends Error {}

const NOTHING = Buffer.alloc(0)
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reads a request's whole body, in blocks. A client that waits for `100 Continue` gets it here, so that none sends a body that
 * would be refused unread.
 * @throws AppError `body_too_large`, `invalid_request` for an encoding or charset other than none and UTF-8, or for
 * a body that comes too slowly, `overloaded` where too many bodies are held
 * @throws ClientGone
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly bodyBytes: number; readonly expectsContinue: boolean },
): Promise<readonly Buffer[]> {
  refuseEncodings(request)
  if (declaredLength(request) > options.bodyBytes) throw bodyTooLarge(options.bodyBytes)
  stateOf(request).bodyMemory.expect(declaredLength(request))
  if (options.expectsContinue) response.writeContinue()
  // Of a request that declares none, Node may not tell the end.
  if (declaredLength(request) === 0) return [NOTHING]
  return collect(request, options.bodyBytes)
}

/** The length that a request declares for its body, NaN where it comes in chunks. */
export function declaredLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN
  return Number(headers['content-length'] ?? 0)
}

/** Whether a part of a request's body has yet to come. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return !request.complete && declaredLength(request) !== 0
}

/**
 * Throws away what is still to come of the body of a request that was answered. It has to keep the pace of bodies: a client
 * that is slower is cut off without a word, for it has had its answer.
 */
export function discardBody(request: IncomingMessage): void {
  const { bodyMemory } = stateOf(request)
  const { socket } = request
  // Node tells of no data of a request that it throws away itself.
  let mark = socket.bytesRead
  const incoming: IncomingBody = {
    get fresh() {
      return socket.bytesRead - mark
    },
    set fresh(bytes) {
      mark = socket.bytesRead - bytes
    },
    seen: false,
    giveUp: () => socket.destroy(),
  }
  const stop = (): void => {
    bodyMemory.unwatch(incoming)
    socket.off('close', stop)
  }
  bodyMemory.watch(incoming)
  request.on('error', () => {})
  request.on('close', stop)
  // Of a request that was answered Node does not say that its connection is gone.
  socket.on('close', stop)
  request.resume()
}

/**
 * Any media type will do, for many clients send the wrong one; how the text is encoded has to be known.
 * @throws AppError `invalid_request`
 */
export function refuseEncodings({ headers }: IncomingMessage): void {
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
  return new AppError(
    'body_too_large',
    `a request body may have at most ${bodyBytes} bytes, by the settings of this server and its memory`,
  )
}

function collect(request: IncomingMessage, bodyBytes: number): Promise<readonly Buffer[]> {
  const state = stateOf(request)
  const { bodyMemory } = state
  if (state.refusal !== undefined) return Promise.reject(state.refusal)
  return new Promise((resolve, reject) => {
    const body = new GrowingBody(declaredLength(request))
    const quantum = new ReadQuantum(request.socket)
    const stop = (): void => {
      state.giveUp = undefined
      bodyMemory.unwatch(incoming)
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('close', onClose)
    }
    const giveUp = (error: unknown): void => {
      stop()
      reject(error)
    }
    const incoming: IncomingBody = {
      fresh: 0,
      seen: false,
      giveUp: (error) => {
        state.closeAfter = true
        giveUp(error)
      },
    }
    const onData = (chunk: Buffer): void => {
      incoming.fresh += chunk.length
      state.requestBytes += chunk.length
      try {
        if (body.length + chunk.length > bodyBytes) throw bodyTooLarge(bodyBytes)
        const growth = body.growthFor(chunk)
        if (growth > 0) bodyMemory.take(state, growth)
        body.add(chunk)
        quantum.note(chunk.length)
      } catch (error) {
        giveUp(error)
      }
    }
    const onEnd = (): void => {
      try {
        const blocks = body.blocks()
        if (isBulk(request, blocks[0]!)) bodyMemory.takeDocuments(state, body.length)
        stop()
        resolve(blocks)
      } catch (error) {
        giveUp(error)
      }
    }
    const onClose = (): void => giveUp(new ClientGone())
    state.giveUp = giveUp
    bodyMemory.watch(incoming)
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', onClose)
    // Whatever goes wrong with a request closes it, too; the listener keeps the process from ending.
    request.on('error', () => {})
  })
}

/** Whether a body may hold many documents. */
function isBulk({ headers }: IncomingMessage, block: Buffer): boolean {
  // Whatever stands before it, for this is no more than an estimate.
  return block[0] !== OPEN_OBJECT || headers['content-type']?.includes('ndjson') === true
}

const OPEN_OBJECT = 0x7b

/** A block that has become this long is not copied into a longer one any more; what follows goes into the next. */
const BLOCK_BYTES = 1024 * 1024

/**
 * Bytes that come in chunks. They are copied into blocks, for a list of them would take a hundred bytes for each
 * chunk, and a client chooses how small these are. The first block doubles, whatever length was declared: room is made
 * for what has come, not for what was promised. To double without end would copy many megabytes in one turn of the
 * event loop.
 */
class GrowingBody {
  length = 0
  private readonly full: Buffer[] = []
  private block: Buffer = NOTHING
  private used = 0
  private readonly declared: number

  /** @param declared the length that was declared, NaN where it isn't known */
  constructor(declared: number) {
    this.declared = declared
  }

  /** The memory that another chunk will take in addition. */
  growthFor(chunk: Buffer): number {
    const capacity = this.capacityFor(chunk)
    return this.goesOn(chunk) ? capacity - this.block.length : capacity
  }

  add(chunk: Buffer): void {
    if (this.length === 0) {
      this.block = chunk
    } else {
      this.makeRoom(chunk)
      this.block.set(chunk, this.used)
    }
    this.used += chunk.length
    this.length += chunk.length
  }

  blocks(): Buffer[] {
    return [...this.full, this.block.subarray(0, this.used)]
  }

  private makeRoom(chunk: Buffer): void {
    const capacity = this.capacityFor(chunk)
    if (!this.goesOn(chunk)) {
      this.full.push(this.block.subarray(0, this.used))
      this.block = Buffer.allocUnsafeSlow(capacity)
      this.used = 0
    } else if (capacity > this.block.length) {
      const larger = Buffer.allocUnsafeSlow(capacity)
      larger.set(this.block.subarray(0, this.used))
      this.block = larger
    }
  }

  /** Whether a chunk goes into the block that is there, made longer where need be. */
  private goesOn(chunk: Buffer): boolean {
    return this.used + chunk.length <= this.block.length || this.block.length < BLOCK_BYTES
  }

  /** The length of the block that a chunk goes into. */
  private capacityFor(chunk: Buffer): number {
    if (!this.goesOn(chunk)) return this.upToDeclared(chunk.length, BLOCK_BYTES)
    const length = this.used + chunk.length
    if (this.length === 0 || length <= this.block.length) return Math.max(length, this.block.length)
    return this.upToDeclared(length, 2 * this.block.length)
  }

  /** Room for at least so many bytes more than the full blocks hold, and for more where more is to come. */
  private upToDeclared(least: number, wanted: number): number {
    const capacity = Math.max(least, wanted)
    const left = this.declared - (this.length - this.used)
    return this.declared >= this.length ? Math.min(capacity, Math.max(least, left)) : capacity
  }
}
