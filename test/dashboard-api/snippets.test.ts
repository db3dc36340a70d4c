import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { collectionAddress, SNIPPETS } from '../../dashboard/src/snippets.ts'
import { cleanEnvironment } from '../cli/run-sheaf.ts'
import { Dashboard } from './start-dashboard.ts'

const COLLECTION = `it's "a" <b> $HOME \`c\` ü`

/** Each with how its client is told of a certificate that the server made itself, as the page says. */
const RUNS = {
  curl: {
    command: ['sh', '-euc'],
    prelude: 'curl() { command curl --cacert "$CA" "$@"; }\n',
    trust: (ca: string) => ({ CA: ca }),
  },
  JavaScript: {
    command: [process.execPath, '--input-type=module', '-e'],
    prelude: '',
    trust: (ca: string) => ({ NODE_EXTRA_CA_CERTS: ca }),
  },
} as const

describe('the examples on the page of an app', () => {
  let dashboard: Dashboard
  let key: string

  before(async () => {
    dashboard = await Dashboard.start()
    const session = await dashboard.session(await dashboard.account('ada@example.org'))
    await dashboard.send('POST', '/apps', session, { json: { slug: 'todo' } })
    const rules = { permission: 'read,create' }
    const made = await dashboard.send('POST', '/apps/todo/keys', session, { json: { name: 'web', rules } })
    key = made.json.key
  })
  after(() => dashboard.close())

  async function run(language: keyof typeof RUNS, saves: boolean) {
    const { command, prelude, trust } = RUNS[language]
    const { server } = dashboard
    const address = collectionAddress(`https://localhost:${server.port}`, 'todo', `${COLLECTION} ${language}`)
    const program = prelude + SNIPPETS[language]({ address, saves }).replaceAll('YOUR_KEY', key)
    const [file, ...args] = [...command, program]
    const env = cleanEnvironment(trust(join(server.folder, 'tls', 'cert.pem')))
    const child = spawn(file!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, problems, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    assert.equal(code, 0, problems)
    return out
  }

  for (const language of Object.keys(RUNS) as (keyof typeof RUNS)[])
    it(`saves a document and reads it in ${language}, or only reads`, async () => {
      assert.match(await run(language, true), /"?text"?: ?["']hello["']/)
      const read = await run(language, false)
      assert.equal(read.match(/hello/g)?.length, 1, read)
    })
})
