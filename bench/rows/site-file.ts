import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, runSheaf, startSheaf } from '../sheaf.ts'

const BYTES = 10 * 1024
const CONNECTIONS = 32
const TARGETS = [{ against: 'bare HTTPS', least: 0.6 }]

/** One file of a site, against the least that Node.js can do for an HTTPS request. */
export const siteFile: Row = {
  name: 'site-file',
  title: 'Serve a file of a site',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const sheaf = await startSheaf(kit)
    const { dataDir } = sheaf
    const folder = kit.path('site')
    mkdirSync(folder)
    writeFileSync(join(folder, 'index.html'), 'x'.repeat(BYTES))
    await runSheaf(kit, ['deploy', folder, '--app', 'demo', '--data', dataDir])
    const { port } = sheaf.request('GET', '')
    const request = { port, method: 'GET', path: '/', headers: { Host: `demo.localhost:${port}` } }
    const like = await sendOnce(request)
    const load = { generator, connections }
    return compare(
      bench,
      [
        async () => underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { ...load, request }),
        async () => {
          const bare = await startBare(kit, { identity: identityOf(sheaf), like, work: 'answer' })
          const about = { name: 'bare HTTPS', about: '`node:https`, a constant of the same bytes' }
          return underLoad(about, bare, { ...load, request: { ...request, port: bare.port } })
        },
      ],
      {
        units: 'requests',
        targets: TARGETS,
        plot: { title: `Serve a file of a site, ${connections} connections` },
        about: [
          `A page of ${BYTES} bytes, not compressed, ${connections} connections. Sheaf answers it from memory after the first time.`,
        ],
      },
    )
  },
}
