import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import {
  type ConnectMessage,
  type Numbered,
  packReplies,
  type Reply,
  type RequestMessage,
  unpackRequests,
} from './thread-protocol.ts'

/** What one client sent in one turn of its event loop. */
export interface Batch<Request> {
  readonly client: number
  readonly requests: readonly Numbered<Request>[]
}

/** The clients of a storage thread, each on a port of its own. */
export class ClientPorts<Request> {
  private readonly ports = new Map<number, MessagePort>()
  private readonly onBatch: (batch: Batch<Request>) => void

  constructor(onBatch: (batch: Batch<Request>) => void) {
    this.onBatch = onBatch
  }

  connect({ client, port }: ConnectMessage): void {
    this.ports.set(client, port)
    port.on('message', (message: RequestMessage) =>
      this.onBatch({ client, requests: unpackRequests<Request>(message) }),
    )
    port.on('close', () => this.ports.delete(client))
  }

  /** What has arrived already: the next batch of each client, so that none of them is served twice before another. */
  nextBatches(): Batch<Request>[] {
    return [...this.ports].flatMap(([client, port]) => {
      const next = receiveMessageOnPort(port)
      return next === undefined ? [] : [{ client, requests: unpackRequests<Request>(next.message) }]
    })
  }

  /** To a client that has gone nothing is sent. */
  send(client: number, replies: readonly Reply[]): void {
    const port = this.ports.get(client)
    for (const message of packReplies(replies)) port?.postMessage(message)
  }

  close(): void {
    for (const port of this.ports.values()) port.close()
  }
}
