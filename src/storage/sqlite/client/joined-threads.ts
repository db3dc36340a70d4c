import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Directory } from '../../store.ts'
import { type Failure, failureOf } from '../protocol/failures.ts'
import type { GiveEndpoint } from '../threads/storage-thread.ts'
import type { ThreadEndpoint } from '../threads/thread-protocol.ts'

/** What a thread that joined the store is told by the one that opened it. */
export type JoinedMessage =
  | ThreadEndpoint
  /** The apps and keys, whenever they have changed. */
  | { readonly directory: Directory }
  /** The answer to `REFRESH`, behind the directory where that has changed. */
  | { readonly refreshed: true; readonly failure?: Failure }

/** What it asks for: to be told of every change of the directory that was made before. */
export const REFRESH = 'refresh'

/** The threads that joined the store, as the one that opened it sees them. */
export class JoinedThreads {
  private readonly ports = new Set<MessagePort>()
  private readonly refresh: () => void

  /** @param refresh looks for changes of the directory, and calls `tell` where there are any */
  constructor(refresh: () => void) {
    this.refresh = refresh
  }

  /** A way to one more of them: its end is to be transferred, and `give` passes endpoints on to it. */
  add(directory: Directory): { give: GiveEndpoint; end: MessagePort } {
    const { port1: port, port2: end } = new MessageChannel()
    this.ports.add(port)
    port.on('message', () => post(port, this.refreshed()))
    port.on('close', () => this.ports.delete(port))
    // It keeps no process from ending.
    port.unref()
    post(port, { directory })
    return { give: (endpoint) => port.postMessage(endpoint, [endpoint.port]), end }
  }

  tell(directory: Directory): void {
    for (const port of this.ports) post(port, { directory })
  }

  private refreshed(): JoinedMessage {
    try {
      this.refresh()
      return { refreshed: true }
    } catch (error) {
      return { refreshed: true, failure: failureOf(error) }
    }
  }
}

function post(port: MessagePort, message: JoinedMessage): void {
  port.postMessage(message)
}
