import { sendOnce } from '../client.ts'
import { bulkText, documentText, type Filling } from '../documents.ts'
import { firstAnswer } from '../first-answer.ts'
import { freePort } from '../free-port.ts'
import { BRANCH, BULK, BULK_DOCUMENTS, LIST_DOCUMENTS, type Peer, requestsTo, SAVE_BYTES } from './peer.ts'

const VERSION = '0.36.8'
const RECORDS = '/api/collections/people/records'

/** A backend in one file, written in Go. */
export const pocketbase: Peer = {
  name: 'PocketBase',
  about: `PocketBase ${VERSION}, built here, with a public collection; Go's own TLS on its listener`,
  durability: 'WAL, `synchronous=NORMAL`: the system has it, the disk not yet',
  isDurable: false,
  install: (cache) => cache.go(`pocketbase-${VERSION}`, new URL('./pocketbase/', import.meta.url)),
  async start({ kit, identity, installed, filling }) {
    const port = await freePort()
    const args = ['serve', '--dir', kit.path('pocketbase'), '--http', `127.0.0.1:${port}`]
    const env = { PATH: process.env.PATH, BENCH_CERT: identity.cert, BENCH_KEY: identity.key }
    const child = kit.spawn(installed, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const request = requestsTo(port)
    await firstAnswer(request('GET', '/api/health'))
    for (let saved = 0; saved < filling.documents; saved += BULK_DOCUMENTS) {
      const count = Math.min(BULK_DOCUMENTS, filling.documents - saved)
      await sendOnce(request('POST', '/api/batch', batch(filling, saved, count)))
    }
    // Counting all of them is left out, as none of the others counts.
    const list = request('GET', `${RECORDS}?perPage=${LIST_DOCUMENTS}&skipTotal=1`)
    const { items } = JSON.parse((await sendOnce(list)).body) as { items: { id: string }[] }
    const filter = encodeURIComponent(`branch=${BRANCH}`)
    return {
      pids: [child.pid!],
      stop: () => kit.stop(child),
      requests: {
        read: request('GET', `${RECORDS}/${items[0]?.id}`),
        save: request('POST', RECORDS, documentText(SAVE_BYTES)),
        bulk: request('POST', '/api/batch', batch(BULK, 0, BULK_DOCUMENTS)),
        list,
        filter: request('GET', `${RECORDS}?perPage=1000&skipTotal=1&filter=${filter}`),
      },
    }
  },
}

function batch(filling: Filling, after: number, count: number): string {
  const bodies = JSON.parse(bulkText(filling, after + 1, count)) as object[]
  return JSON.stringify({ requests: bodies.map((body) => ({ method: 'POST', url: RECORDS, body })) })
}
