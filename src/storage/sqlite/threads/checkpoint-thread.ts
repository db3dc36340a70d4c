import { parentPort, workerData } from 'node:worker_threads'
import { Connections } from '../files/connections.ts'
import { CLOSE, RELEASE } from './thread-protocol.ts'

/** Apps whose files the thread keeps open, where all threads may have so many. */
const OPEN_APPS = 8

export interface CheckpointSettings {
  readonly dataDir: string
  readonly openApps: number
}

/** What the writer asks for: to copy an app's log into its file, or to let go of the apps that are no more, or of all. */
export type CheckpointMessage =
  | { readonly app: string }
  | { readonly apps: readonly string[] }
  | typeof RELEASE
  | typeof CLOSE

export interface CheckpointReply {
  readonly app: string
  /** Pages in the log, copied or not; none where it is not known. */
  readonly pages: number
}

const { dataDir, openApps } = workerData as CheckpointSettings
const connections = new Connections({ dataDir, mode: 'reader', limit: Math.min(OPEN_APPS, openApps) })

/** As far as the readers allow; neither they nor the writer wait for it. */
function checkpoint(app: string): CheckpointReply {
  try {
    const [, pages] = connections.to(app).row<[number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)')!
    return { app, pages }
  } catch {
    // An app that was deleted has no log; a disk that fails will tell the writer, who answers for it.
    return { app, pages: 0 }
  }
}

parentPort!.on('message', (message: CheckpointMessage) => {
  if (message === CLOSE) {
    connections.closeAll()
    parentPort!.close()
  } else if (message === RELEASE) connections.closeAll()
  else if ('apps' in message) connections.keepOnly(new Set(message.apps))
  else parentPort!.postMessage(checkpoint(message.app))
})
