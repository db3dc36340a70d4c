import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Batch, ClientPorts } from './client-ports.ts'
import { Connections } from './connections.ts'
import { appFile } from './data-folder.ts'
import { failureOf } from './failures.ts'
import { hasIndexWork } from './has-index-work.ts'
import { Reader } from './reader.ts'
import type { IndexWorkRequest, ReadRequest } from './requests.ts'
import {
  CLOSE,
  type Numbered,
  type Reply,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts'

/** Apps whose files one thread keeps open. */
const OPEN_APPS = 64
/** Time after which what a batch has answered so far is sent, in milliseconds. */
const REPLY_AFTER_MS = 2

/** A storage thread that reads: each message is a batch of requests, answered from one moment of each app. */
function run(parent: MessagePort, { dataDir, progress }: ThreadSettings): void {
  const connections = new Connections({ dataDir, mode: 'reader', limit: OPEN_APPS })
  const reader = new Reader(connections)

  const answer = ([id, request]: Numbered<ReadRequest | IndexWorkRequest>): Reply => {
    Atomics.store(progress, 0, id)
    try {
      if (request.kind === 'indexWork') return [id, hasIndexWork(appFile(dataDir, request.app))]
      return [id, reader.handle(request)]
    } catch (error) {
      return [id, undefined, failureOf(error)]
    } finally {
      Atomics.store(progress, 0, 0)
    }
  }

  const answerAll = ({ client, requests }: Batch<ReadRequest>): void => {
    let replies: Reply[] = []
    let since = performance.now()
    for (const numbered of requests) {
      replies.push(answer(numbered))
      if (performance.now() - since < REPLY_AFTER_MS) continue
      clients.send(client, replies)
      replies = []
      since = performance.now()
    }
    reader.endBatch()
    if (replies.length > 0) clients.send(client, replies)
  }
  const clients = new ClientPorts<ReadRequest>(answerAll)

  const close = (): void => {
    for (let round = clients.takeRound(); round.length > 0; round = clients.takeRound())
      round.forEach(answerAll)
    connections.closeAll()
    clients.close()
    parent.postMessage({ event: 'closed' })
    parent.close()
  }

  parent.on('message', (message: ThreadMessage) => {
    if (message === CLOSE) close()
    else if ('apps' in message) connections.keepOnly(new Set(message.apps))
    else if ('client' in message) clients.connect(message)
  })
  parent.postMessage({ event: 'ready' })
}

run(parentPort!, workerData as ThreadSettings)
