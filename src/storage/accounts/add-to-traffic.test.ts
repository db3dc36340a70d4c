import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { emptyCell, type TrafficCell } from '../../analytics/traffic.ts'
import { emptyDelta } from '../../analytics/traffic-delta.ts'
import { openAccounts } from '../sqlite/control/open-accounts.ts'
import { openDataFolder } from '../sqlite/files/data-folder.ts'

const HOUR = 60 * 60

it('traffic of a full hour keeps nobody from writing while it is packed', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-traffic-'))
  openDataFolder(dataDir)
  const store = await openAccounts({ dataDir })
  t.after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const { id: app } = await store.createApp({ slug: 'shop', owner: null }, 'command-line')
  const cells = Array.from({ length: 4000 }, (_, n): TrafficCell => {
    return { ...emptyCell({ key: 'k', collection: `c${n}`, operation: 'find', status: 200 }), requests: 1 }
  })
  const at = Math.floor(Date.now() / 1000 / HOUR) * HOUR
  const done: string[] = []
  await Promise.all([
    store.addTraffic({ ...emptyDelta(), hours: [{ app, at, cells }] }).then(() => done.push('traffic')),
    store.createApp({ slug: 'blog', owner: null }, 'command-line').then(() => done.push('app')),
  ])
  assert.deepEqual(done, ['app', 'traffic'])
})
