import { sendOnce } from '../client.ts'
import { bulkText, documentText } from '../documents.ts'
import { BRANCH, BULK, BULK_DOCUMENTS, LIST_DOCUMENTS, type Peer, requestsTo, SAVE_BYTES } from './peer.ts'

const VERSION = '5.3.0'

/** What one writes oneself instead of taking a server. */
export const expressSqlite: Peer = {
  name: 'Express + SQLite',
  about: `Express ${VERSION} and \`node:sqlite\` as a tutorial has them, a column for each field, under \`node:https\``,
  durability: 'WAL, `synchronous=FULL`, a transaction a request',
  isDurable: true,
  install: (cache) => cache.npm('express', [`express@${VERSION}`]),
  async start({ kit, identity, installed, filling }) {
    const script = new URL('../servers/express-sqlite.ts', import.meta.url)
    const settings = { identity, installed, file: kit.path('express.sqlite') }
    const { child, port } = await kit.startScript(script, settings)
    const request = requestsTo(port)
    for (let saved = 0; saved < filling.documents; saved += BULK_DOCUMENTS) {
      const count = Math.min(BULK_DOCUMENTS, filling.documents - saved)
      await sendOnce(request('POST', '/people/bulk', bulkText(filling, saved + 1, count)))
    }
    return {
      pids: [child.pid!],
      stop: () => kit.stop(child),
      requests: {
        read: request('GET', '/people/7'),
        save: request('POST', '/people', documentText(SAVE_BYTES)),
        bulk: request('POST', '/people/bulk', bulkText(BULK, 1, BULK_DOCUMENTS)),
        list: request('GET', `/people?limit=${LIST_DOCUMENTS}`),
        filter: request('GET', `/people?branch=${BRANCH}&limit=${LIST_DOCUMENTS}`),
      },
    }
  },
}
