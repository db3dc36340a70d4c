import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type TailBatch, type TailCounts, withinRoom } from '../analytics/tail-batch.ts'
import type { Tail, TailWanted } from '../dashboard-api/tail-stream.ts'
import { AppError } from '../errors.ts'
import type { TailAsked, TailMessage } from './traffic-tails.ts'

/** Requests that wait for a client that is slow to take them. */
const WAITING: TailCounts = Object.freeze({ errors: 200, others: 200 })
const NOTHING: TailBatch = Object.freeze({ requests: [], skipped: { errors: 0, others: 0 } })

/** Live views of requests that a thread serves. */
export class TailClient {
  private readonly connect: (asked: TailAsked) => void
  private readonly open = new Set<PortTail>()

  /** @param connect hands one end of a channel to the thread that knows all views */
  constructor(connect: (asked: TailAsked) => void) {
    this.connect = connect
  }

  /** @throws AppError `rate_limited` */
  async begin(wanted: TailWanted): Promise<Tail> {
    const { port1, port2 } = new MessageChannel()
    const tail = new PortTail(port1, () => this.open.delete(tail))
    this.open.add(tail)
    this.connect({ ...wanted, port: port2 })
    if (await tail.opened) return tail
    throw new AppError(
      'rate_limited',
      'too many live views of requests are open; close one of them, and try again in a moment',
    )
  }

  /** Ends all of them. */
  close(): void {
    for (const tail of [...this.open]) tail.close()
  }
}

class PortTail implements Tail {
  /** Whether there was room. */
  readonly opened: Promise<boolean>
  private readonly port: MessagePort
  private readonly onClose: () => void
  private waiting = NOTHING
  private isOver = false
  private wake = (): void => {}

  constructor(port: MessagePort, onClose: () => void) {
    this.port = port
    this.onClose = onClose
    const opened = Promise.withResolvers<boolean>()
    this.opened = opened.promise
    port.on('message', (message: TailMessage) => {
      if ('isOpen' in message) opened.resolve(message.isOpen)
      else this.take(message)
    })
    port.once('close', () => {
      opened.resolve(false)
      this.end()
    })
  }

  async next(waitMs: number): Promise<TailBatch | undefined> {
    if (this.isEmpty() && !this.isOver) await this.wait(waitMs)
    if (this.isOver) return undefined
    const batch = this.waiting
    this.waiting = NOTHING
    return batch
  }

  close(): void {
    this.end()
    this.port.close()
  }

  private wait(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private take({ requests, skipped }: TailBatch): void {
    const { waiting } = this
    const all = {
      requests: [...waiting.requests, ...requests],
      skipped: {
        errors: waiting.skipped.errors + skipped.errors,
        others: waiting.skipped.others + skipped.others,
      },
    }
    this.waiting = withinRoom(all, WAITING)
    if (!this.isEmpty()) this.wake()
  }

  private isEmpty(): boolean {
    const { requests, skipped } = this.waiting
    return requests.length === 0 && skipped.errors === 0 && skipped.others === 0
  }

  private end(): void {
    this.isOver = true
    this.wake()
    this.onClose()
  }
}
