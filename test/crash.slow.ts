import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { crashRounds } from './server/crash-rounds.ts'
import { startAndKill, startServer } from './server/start-server.ts'

describe('a server that is killed', () => {
  it('has every write that it acknowledged, whole, when it is started again', async (t) => {
    const seed = Date.now() % 1_000_000_000
    t.diagnostic(`seed ${seed}`)
    const { checked } = await crashRounds({ rounds: 10, seed, log: (line) => t.diagnostic(line) })
    assert.ok(checked > 100, `only ${checked} writes were acknowledged`)
  })

  it('during its very first start leaves a folder that the next start can use', async (t) => {
    for (const afterMs of [150, 250, 350, 450]) {
      const folder = mkdtempSync(join(tmpdir(), 'sheaf-first-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const shown = await startAndKill(folder, afterMs)
      // It shows a key of its own, unless the one that was shown is there: none is there that nobody saw.
      const server = await startServer({ folder, ...(shown !== undefined && { apiKey: shown }) })
      t.after(() => server.dispose())
      const saved = await server.client.send('POST', '/apps/demo/collections/c', { body: '{"_id":1}' })
      assert.equal(saved.text, '{"_id":1}')
    }
  })
})
