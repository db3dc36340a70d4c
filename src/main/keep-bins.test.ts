import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Directory } from '../storage/store.ts'
import { keepBins } from './keep-bins.ts'

const HOUR_MS = 60 * 60 * 1000

function directoryOf(...ids: string[]): Directory {
  const apps = new Map(ids.map((id) => [id, { id, slug: id, owner: null, createdAt: 0 }]))
  return { apps, keysByHash: new Map(), keysById: new Map(), tokenSecrets: [], sites: new Map(), damages: [] }
}

describe('the bins of apps', () => {
  it('are looked into every hour, and swept where something has been there for its time', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const swept: string[] = []
    const done = Promise.withResolvers<void>()
    const store = {
      directory: () => directoryOf('a', 'b', 'c'),
      leftWork: async (app: string) => ({ indexes: false, collections: app !== 'b' }),
      sweepCollections: async (app: string) => {
        swept.push(app)
        if (app === 'c') done.resolve()
      },
    }
    t.after(keepBins({ store, log: { fault: (line: string) => assert.fail(line) } }))
    t.mock.timers.tick(HOUR_MS - 1)
    assert.deepEqual(swept, [])
    t.mock.timers.tick(1)
    await done.promise
    assert.deepEqual(swept, ['a', 'c'])
  })

  it('that can not be looked into are told of, and looked into again', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const told: string[] = []
    const twice = Promise.withResolvers<void>()
    const once = Promise.withResolvers<void>()
    const store = {
      directory: () => directoryOf('a'),
      leftWork: () => Promise.reject(new Error('unreadable')),
      sweepCollections: () => assert.fail(),
    }
    const fault = (line: string): void => {
      told.push(line)
      ;(told.length === 1 ? once : twice).resolve()
    }
    t.after(keepBins({ store, log: { fault } }))
    t.mock.timers.tick(HOUR_MS)
    await once.promise
    await new Promise(setImmediate)
    t.mock.timers.tick(HOUR_MS)
    await twice.promise
    assert.equal(told[1], 'collections in the bin can not be removed')
  })
})
