import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createQuotaUses, QuotaUses } from '../credentials/quota-uses.ts'
import { NO_QUOTA, type Quotas } from '../domain/quota.ts'
import type { AppRecord, SiteRecord } from '../storage/directory.ts'
import { QuotaWatch } from './watch-quotas.ts'

const NOON = Date.UTC(2026, 10, 29, 12)
const HASH = 'ab'.padEnd(64, '0')

function appOf(id: string, owner: string | null): AppRecord {
  return { id, slug: id.toLowerCase(), owner, createdAt: 0 }
}

function watched(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-quotas-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  mkdirSync(join(dataDir, 'apps'))
  const apps = [appOf('A', 'ada'), appOf('B', 'ada'), appOf('C', 'bob'), appOf('D', null)]
  const deleted = appOf('E', 'ada')
  const state = { quotas: undefined as Quotas | undefined, versions: 0, measured: [] as string[], bytes: 100 }
  const lines: string[] = []
  const clock = { now: NOON }
  const sites = (): Map<string, SiteRecord> => {
    const manifests = new Map(Array.from({ length: state.versions }, (_, n) => [n + 1, `${n}`] as const))
    return new Map([['a', { app: 'A', slug: 'a', live: null, manifests, key: null, domains: [] }]])
  }
  const store = {
    directory: () => ({
      apps: new Map(apps.map((app) => [app.slug, app])),
      sites: sites(),
      ...(state.quotas && { quotas: state.quotas }),
    }),
    measureApp: async (app: string) => {
      state.measured.push(app)
      return { bytes: state.bytes }
    },
  }
  const start = () => {
    const uses = new QuotaUses(createQuotaUses(), () => clock.now)
    const watch = new QuotaWatch({
      ...{ dataDir, store, uses, now: () => clock.now },
      control: { listEveryApp: () => [...apps, deleted] },
      sitesToCollect: () => [],
      log: { warn: (line) => lines.push(line), info: (line) => lines.push(line) },
    })
    return { uses, watch }
  }
  const write = (path: string, bytes: number): void => {
    mkdirSync(join(dataDir, path, '..'), { recursive: true })
    writeFileSync(join(dataDir, path), Buffer.alloc(bytes))
  }
  return { ...start(), start, state, lines, clock, write, dataDir, apps, deleted }
}

const limited = (limits: Partial<Quotas['forAll']>): Quotas => ({
  forAll: NO_QUOTA,
  byAccount: new Map([['ada', { ...NO_QUOTA, ...limits }]]),
})

describe('the watch on quotas', () => {
  it('measures nothing where no bytes are limited, and then at once, of those accounts alone', async (t) => {
    const { watch, uses, state } = watched(t)
    await watch.measure()
    state.quotas = limited({ requestsPerDay: 7 })
    await watch.look()
    assert.deepEqual([state.measured, uses.bytesOf('ada')], [[], undefined])
    state.quotas = limited({ bytes: 1000 })
    await watch.look()
    assert.deepEqual([state.measured, uses.bytesOf('ada')], [['A', 'B'], 200])
    assert.equal(uses.bytesOf('bob'), undefined)
    // Another change of the directory is none of quotas.
    state.quotas = limited({ bytes: 1000 })
    await watch.look()
    assert.deepEqual(state.measured, ['A', 'B'])
  })

  it('counts files of sites and deleted apps, and looks again at what has changed alone', async (t) => {
    const { watch, uses, state, write } = watched(t)
    state.quotas = limited({ bytes: 1000 })
    write('apps/A.sqlite', 1)
    write('apps/E.sqlite', 30)
    write(`sites/A/files/ab/${HASH}`, 7)
    state.versions = 1
    await watch.measure()
    assert.equal(uses.bytesOf('ada'), 237)
    assert.deepEqual(state.measured.splice(0), ['A', 'B'])
    uses.settleBytes('ada', 0, 50)
    write('apps/A.sqlite-wal', 1)
    write(`sites/A/files/ab/${HASH}.br`, 3)
    state.bytes = 60
    await watch.measure()
    assert.deepEqual([state.measured.splice(0), uses.bytesOf('ada')], [['A'], 197])
    state.versions = 2
    await watch.measure()
    assert.deepEqual([state.measured, uses.bytesOf('ada')], [[], 200])
  })

  it('finds nothing of whoever has removed the last app', async (t) => {
    const { watch, uses, state, apps, deleted } = watched(t)
    state.quotas = limited({ bytes: 1000 })
    await watch.measure()
    assert.equal(uses.bytesOf('ada'), 200)
    for (const app of [...apps.filter(({ owner }) => owner === 'ada'), deleted])
      Object.assign(app, { owner: 'bob' })
    await watch.measure()
    assert.equal(uses.bytesOf('ada'), 0)
  })

  it('says once that nothing can be measured, and when it can again', async (t) => {
    const { watch, state, lines } = watched(t)
    state.quotas = limited({ bytes: 1000 })
    const { measured } = state
    Object.assign(state, { measured: { push: () => assert.fail('no disk') } })
    await watch.measure()
    await watch.measure()
    Object.assign(state, { measured })
    await watch.measure()
    assert.deepEqual(lines, [
      "what accounts use of their quotas can't be kept: no disk",
      'what accounts store can be measured again',
    ])
  })

  it('keeps the requests of the day over a restart, and takes nothing of another day or a damaged file', async (t) => {
    const { watch, uses, state, start, clock, dataDir } = watched(t)
    await watch.save()
    state.quotas = limited({ requestsPerDay: 2 })
    uses.takeRequest('ada', 2)
    uses.takeRequest('bob', 2)
    await watch.close()
    const again = start()
    again.watch.restore()
    assert.deepEqual([again.uses.requestsOf('ada'), again.uses.requestsOf('bob')], [1, 0])
    clock.now += 24 * 60 * 60 * 1000
    const tomorrow = start()
    tomorrow.watch.restore()
    assert.equal(tomorrow.uses.requestsOf('ada'), 0)
    for (const text of ['', 'null', '{"day":1}', '{"day":"x","requests":{"ada":1}}']) {
      writeFileSync(join(dataDir, 'requests.json'), text)
      const damaged = start()
      damaged.watch.restore()
      assert.equal(damaged.uses.requestsOf('ada'), 0, text)
    }
  })
})
