import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FindCommand, ReadReport } from '../../src/storage/store.ts'
import { startTestServer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/c'
const SCAN: ReadReport = { plan: { kind: 'scan', examined: 7 }, returned: 1, milliseconds: 1.5 }

async function* rest() {
  yield ',{"_id":"b"}'
  yield ']'
}

async function startServer(t: TestContext): Promise<TestServer> {
  const server = await startTestServer({
    store: {
      getDocument: async () => '{"_id":"a"}',
      countDocuments: async ({ onReport }) => {
        onReport?.({ ...SCAN, plan: { kind: 'count', examined: 0 } })
        return 7
      },
      findDocuments: async ({ limit, onReport }: FindCommand) => {
        if (limit === 0) return { first: '[]' }
        onReport?.(SCAN)
        return limit === 1 ? { first: '[{"_id":"a"}]' } : { first: '[{"_id":"a"}', rest: rest() }
      },
    },
  })
  t.after(() => server.close())
  return server
}

describe('Server-Timing', () => {
  it('stands at no refusal, and at nothing that reads no documents', async (t) => {
    const server = await startServer(t)
    for (const path of [`${C}?q={`, '/apps'])
      assert.equal((await server.send('GET', path)).headers['server-timing'], undefined, path)
  })

  it('tells of every other read how it was done, of a long one with its first piece', async (t) => {
    const server = await startServer(t)
    const timing = async (path: string) => (await server.send('GET', path)).headers['server-timing']
    assert.equal(await timing(C), 'store;dur=1.50;desc="scan"')
    assert.equal(await timing(`${C}?l=0`), 'store;dur=0.00;desc="memory"')
    assert.equal(await timing(`${C}?fo=true`), 'store;dur=1.50;desc="scan"')
    assert.equal(await timing(`${C}?c=true`), 'store;dur=1.50;desc="count"')
    assert.match((await timing(`${C}/a`)) as string, /^store;dur=\d+\.\d\d;desc="id"$/)
  })

  it('may be read by pages', async (t) => {
    const server = await startServer(t)
    const { headers } = await server.send('GET', C, { headers: { Origin: 'https://example.org' } })
    assert.match(headers['access-control-expose-headers'] as string, /\bServer-Timing\b/)
  })
})
