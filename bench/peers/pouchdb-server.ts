import { mkdirSync } from 'node:fs'
import { sendOnce } from '../client.ts'
import { bulkText, documentText, type Filling } from '../documents.ts'
import { BRANCH, BULK, BULK_DOCUMENTS, LIST_DOCUMENTS, type Peer, requestsTo, SAVE_BYTES } from './peer.ts'

const VERSION = '4.2.0'

/** CouchDB's interface on Node.js. */
export const pouchdbServer: Peer = {
  name: 'pouchdb-server',
  about: `pouchdb-server ${VERSION} (CouchDB's interface) on LevelDB, its Express app under \`node:https\``,
  durability: 'LevelDB without `sync`: the system has it, the disk not yet',
  isDurable: false,
  install: (cache) => cache.npm('pouchdb-server', [`pouchdb-server@${VERSION}`]),
  async start({ kit, identity, installed, filling }) {
    const folder = kit.path('pouchdb')
    mkdirSync(folder)
    const script = new URL('../servers/pouchdb-server.ts', import.meta.url)
    const { child, port } = await kit.startScript(script, { identity, installed, folder })
    const request = requestsTo(port)
    await sendOnce(request('PUT', '/people'))
    for (let saved = 0; saved < filling.documents; saved += BULK_DOCUMENTS) {
      const count = Math.min(BULK_DOCUMENTS, filling.documents - saved)
      await sendOnce(
        request('POST', '/people/_bulk_docs', bulk({ ...filling, knownIds: true }, saved, count)),
      )
    }
    await sendOnce(request('POST', '/people/_index', '{"index":{"fields":["branch"]}}'))
    const list = request('GET', `/people/_all_docs?include_docs=true&limit=${LIST_DOCUMENTS}`)
    const filter = request(
      'POST',
      '/people/_find',
      JSON.stringify({ selector: { branch: BRANCH }, limit: 1000 }),
    )
    // An index is made when it is first asked.
    if (filling.documents > 0) await sendOnce(filter)
    const { rows } = JSON.parse((await sendOnce(list)).body) as { rows: { id: string }[] }
    return {
      pids: [child.pid!],
      stop: () => kit.stop(child),
      requests: {
        read: request('GET', `/people/${rows[0]?.id}`),
        save: request('POST', '/people', documentText(SAVE_BYTES)),
        bulk: request('POST', '/people/_bulk_docs', bulk(BULK, 0, BULK_DOCUMENTS)),
        list,
        filter,
      },
    }
  },
}

function bulk(filling: Filling, after: number, count: number): string {
  return `{"docs":${bulkText(filling, after + 1, count)}}`
}
