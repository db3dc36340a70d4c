import assert from 'node:assert/strict'
import { it } from 'node:test'
import { backUpBesideWrites } from './beside-writes.ts'

/** Of 2,000 bytes each. */
const DOCUMENTS = Number(process.env.SHEAF_SLOW_DOCUMENTS ?? 10_000)
/** Longest wait of a save beside a backup, where the machine has nothing else to do. */
const WAIT_MS = 100

it('a backup beside 1,000 saves a second loses none of them, and holds none up for much longer than without', async (t) => {
  const { longest, p99, calm, ...figures } = await backUpBesideWrites({
    ...{ documents: DOCUMENTS, documentBytes: 2000, rate: 1000, writers: 32 },
  })
  t.diagnostic(JSON.stringify({ ...figures, longest, p99, calm }))
  // What else the machine does is in both.
  const most = Math.max(WAIT_MS, 3 * calm.longest)
  assert.ok(longest <= most, `a save took ${longest} ms beside the backup, and ${calm.longest} without`)
})
