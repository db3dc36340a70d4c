import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { QueryStatsFile } from './query-stats-file.ts'

/** Queries of one shape, which have an index by now. */
const CONTENT = {
  version: 2,
  savedAt: 7,
  since: 1,
  shapes: [
    {
      app: 'a',
      collection: 'c',
      shape: 'é eq',
      candidates: { byConditions: [[{ path: ['é'], direction: 1 }]] },
      count: 20,
      examined: 40_000,
      returned: 20,
      milliseconds: 50,
      maxMilliseconds: 5,
      slowCount: 0,
      fullCount: 0,
      lastSeenAt: 6,
      documents: 2000,
      lastPlan: { kind: 'index', index: 'é' },
      waste: 3,
      countedFrom: 4,
      writesSeen: 2,
      notBefore: 0,
      tried: ['é'],
      decision: { at: 4, what: 'built', index: 'é', why: '20 queries looked at 36000 documents too many' },
    },
  ],
  uses: [
    {
      app: 'a',
      collection: 'c',
      name: 'é',
      uses: 3,
      lastUsedAt: 5,
      automatic: {
        ...{ documents: 2000, balance: 36_000, writesSeen: 2, idleSince: 5, spared: 5000 },
        reason: { fingerprint: 'é eq', why: '20 queries looked at 36000 documents too many' },
      },
    },
    { app: 'a', collection: 'c', name: 'by hand', uses: 0, lastUsedAt: 0 },
  ],
}

function newFile(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-stats-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  return { file: new QueryStatsFile({ dataDir }), path: join(dataDir, 'shapes.json') }
}

describe('the file of the query statistics', () => {
  it('reads as empty where there is none, or where it is broken', (t) => {
    const { file, path } = newFile(t)
    const empty = { savedAt: 0, since: 0, fingerprints: [], indexes: [] }
    assert.deepEqual(file.load(), empty)
    const broken = [
      '',
      '{"version":1,"shapes":[',
      '{"version":99,"shapes":[],"uses":[]}',
      '{"version":2}',
      'null',
    ]
    for (const text of broken) {
      writeFileSync(path, text)
      assert.deepEqual(file.load(), empty, text)
    }
  })

  it('is read and written in the words that it began with', async (t) => {
    const { file, path } = newFile(t)
    writeFileSync(path, JSON.stringify(CONTENT))
    const loaded = file.load()
    const [query] = loaded.fingerprints
    assert.equal(query?.fingerprint, 'é eq')
    assert.equal(query?.account?.missedBenefit, 3)
    assert.deepEqual(query?.account?.tried, ['é'])
    assert.equal(loaded.indexes[0]?.account?.credit, 36_000)
    await file.save(loaded)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), CONTENT)
  })

  it('is read as version 0.1.0 wrote it, too', (t) => {
    const { file, path } = newFile(t)
    const { since, ...content } = CONTENT
    const [{ lastPlan, ...shape }] = CONTENT.shapes as [(typeof CONTENT.shapes)[number]]
    const { reason, spared, ...automatic } = CONTENT.uses[0]!.automatic!
    const uses = [{ ...CONTENT.uses[0]!, automatic }]
    writeFileSync(path, JSON.stringify({ ...content, shapes: [shape], uses }))
    const loaded = file.load()
    assert.equal(loaded.since, 0)
    assert.equal(loaded.fingerprints[0]?.lastPlan, undefined)
    assert.deepEqual([loaded.indexes[0]?.account?.spared, loaded.indexes[0]?.account?.reason], [0, undefined])
  })
})
