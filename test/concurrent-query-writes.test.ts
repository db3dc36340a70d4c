import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ANYTHING, filterOf, NOW, updateOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

describe('writes by query that are sent together', () => {
  const DOCUMENTS = 5000
  const WORKERS = 8

  async function opened(t: TestContext) {
    const { store, app, close } = await openSqlite(DEFAULT_LIMITS)
    t.after(close)
    const at = { app, collection: 'c' }
    const documents = Array.from({ length: DOCUMENTS }, (_, _id) => ({
      id: _id,
      text: `{"_id":${_id},"state":"${_id % 100 === 0 ? 'new' : 'old'}"}`,
    }))
    await store.saveDocuments({ ...at, permitted: ANYTHING, documents })
    const all = { ...at, sort: [], skip: 0, limit: DOCUMENTS }
    return { store, at, find: async (q: string) => store.findDocuments({ ...all, filter: filterOf(q) }) }
  }

  it('take each of the documents once, where each takes the first', async (t) => {
    const { store, at, find } = await opened(t)
    const filter = filterOf('{"state":{"$regex":"^n.w$"}}')
    const command = { ...at, filter, update: updateOf('{"$inc":{"taken":1},"$set":{"state":"taken"}}') }
    const work = async (): Promise<number> => {
      for (let taken = 0; ; taken++) {
        const { matched } = await store.updateDocuments({ ...command, multi: false, upsert: false, now: NOW })
        if (matched === 0) return taken
      }
    }
    const taken = await Promise.all(Array.from({ length: WORKERS }, work))
    const sum = taken.reduce((all, each) => all + each, 0)
    assert.equal(sum, DOCUMENTS / 100)
    const texts = Array.from({ length: sum }, (_, n) => `{"_id":${n * 100},"state":"taken","taken":1}`)
    assert.equal((await find('{"state":"taken"}')).first, `[${texts.join(',')}]`)
  })

  it('make one document, where each makes one if none matches', async (t) => {
    const { store, at, find } = await opened(t)
    const command = { ...at, filter: filterOf('{"_kind":"one"}'), update: updateOf('{"$inc":{"n":1}}') }
    const upserts = Array.from({ length: WORKERS }, () =>
      store.updateDocuments({ ...command, multi: true, upsert: true, now: NOW }),
    )
    const results = await Promise.all(upserts)
    assert.equal(results.filter(({ upserted }) => upserted !== undefined).length, 1)
    assert.equal(results.filter(({ modified }) => modified === 1).length, WORKERS - 1)
    assert.match(String((await find('{"_kind":"one"}')).first), /^\[\{"_id":"\w+","_kind":"one","n":8\}\]$/)
  })
})
