import { writeFileSync } from 'node:fs'
import { bulkText, documentText } from '../documents.ts'
import { BRANCH, LIST_DOCUMENTS, type Peer, requestsTo, SAVE_BYTES } from './peer.ts'

const VERSION = '0.17.4'

/** A REST interface over one JSON file; the file and its documents are in memory. */
export const jsonServer: Peer = {
  name: 'json-server',
  about: `json-server ${VERSION}, its Express app under \`node:https\``,
  durability: 'writes its whole file at each save, without `fsync`',
  isDurable: false,
  lacks: { bulk: 'it has no request for many documents' },
  install: (cache) => cache.npm('json-server', [`json-server@${VERSION}`]),
  async start({ kit, identity, installed, filling }) {
    const file = kit.path('db.json')
    const people = (JSON.parse(bulkText(filling, 1, filling.documents)) as object[]).map(
      (document, index) => ({
        id: index + 1,
        ...document,
      }),
    )
    writeFileSync(file, JSON.stringify({ people }))
    const script = new URL('../servers/json-server.ts', import.meta.url)
    const { child, port } = await kit.startScript(script, { identity, installed, file })
    const request = requestsTo(port)
    return {
      pids: [child.pid!],
      stop: () => kit.stop(child),
      requests: {
        read: request('GET', '/people/7'),
        save: request('POST', '/people', documentText(SAVE_BYTES)),
        list: request('GET', `/people?_limit=${LIST_DOCUMENTS}`),
        filter: request('GET', `/people?branch=${BRANCH}`),
      },
    }
  },
}
