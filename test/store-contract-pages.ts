import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import { parseSort } from '../src/query/sort.ts'
import type { Cursor } from '../src/storage/store.ts'
import { ContractHarness, filterOf, type OpenStore, textOf } from './contract-harness.ts'

interface Page {
  readonly ids: readonly (string | number)[]
  readonly end: Cursor | undefined
}

interface Asked {
  readonly q?: string
  readonly s?: string
  readonly limit: number
  readonly after?: Cursor | undefined
  readonly skip?: number
  readonly partialAfterMs?: number
}

async function pageOf(
  h: ContractHarness,
  { q = '{}', s = '{}', skip = 0, limit, after: cursor, partialAfterMs }: Asked,
): Promise<Page> {
  const found = await h.store.findDocuments({
    ...h.at,
    filter: filterOf(q),
    sort: parseSort(parseJson(s, DEFAULT_LIMITS), DEFAULT_LIMITS),
    skip,
    limit,
    wantsEnd: true,
    ...(cursor && { after: cursor }),
    ...(partialAfterMs !== undefined && { partialAfterMs }),
  })
  const documents = JSON.parse(await textOf(found)) as { _id: string | number }[]
  return { ids: documents.map(({ _id }) => _id), end: found.end }
}

/** Every page of a query, one after the other; `between` is done after each. */
async function pagesOf(
  h: ContractHarness,
  asked: Asked,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<(readonly (string | number)[])[]> {
  const pages: (readonly (string | number)[])[] = []
  for (let cursor: Cursor | undefined; ; ) {
    const { ids, end } = await pageOf(h, { ...asked, after: cursor })
    pages.push(ids)
    if (end === undefined) return pages
    cursor = end
    await between(pages.length)
  }
}

/** What holds for pages by cursor on every engine; `open` gives it an empty app. */
export function describePages(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: pages`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    it('says where a page ends only where it is full and that was asked for', async () => {
      h.fresh()
      assert.equal((await pageOf(h, { limit: 1 })).end, undefined)
      await h.save('{"_id":1}', '{"_id":2}')
      assert.equal((await pageOf(h, { limit: 3 })).end, undefined)
      assert.equal((await pageOf(h, { limit: 0 })).end, undefined)
      const { end } = await pageOf(h, { limit: 2 })
      assert.notEqual(end, undefined)
      assert.deepEqual(await pageOf(h, { limit: 2, after: end }), { ids: [], end: undefined })
      const command = { ...h.at, filter: filterOf('{}'), sort: [], skip: 0, limit: 2 }
      assert.equal((await h.store.findDocuments(command)).end, undefined)
    })

    it('gives every document once in natural order, with and without a filter', async () => {
      h.fresh()
      await h.save(...Array.from({ length: 7 }, (_, i) => `{"_id":${i},"even":${i % 2 === 0}}`))
      assert.deepEqual(await pagesOf(h, { limit: 3 }), [[0, 1, 2], [3, 4, 5], [6]])
      assert.deepEqual(await pagesOf(h, { q: '{"even":true}', limit: 2 }), [[0, 2], [4, 6], []])
      assert.deepEqual(await pagesOf(h, { q: '{"_id":{"$in":[5,1,3]}}', limit: 2 }), [[1, 3], [5]])
    })

    it('gives every document once in every order, also where many tie', async () => {
      h.fresh()
      await h.save(
        '{"_id":1,"g":"b","n":1}',
        '{"_id":2,"g":"a","n":1}',
        '{"_id":3,"g":"b","n":2}',
        '{"_id":4,"g":"b","n":1}',
        '{"_id":5,"n":2}',
        '{"_id":6,"g":["c","a"],"n":1}',
      )
      assert.deepEqual(await pagesOf(h, { s: '{"g":1}', limit: 2 }), [[5, 2], [6, 1], [3, 4], []])
      assert.deepEqual(await pagesOf(h, { s: '{"g":-1}', limit: 4 }), [
        [6, 1, 3, 4],
        [2, 5],
      ])
      assert.deepEqual(await pagesOf(h, { s: '{"n":-1,"g":1}', limit: 1 }), [
        [5],
        [3],
        [2],
        [6],
        [1],
        [4],
        [],
      ])
      assert.deepEqual(await pagesOf(h, { s: '{"_id":-1}', limit: 4 }), [
        [6, 5, 4, 3],
        [2, 1],
      ])
    })

    it('gives every document once where each answer is a part, and skips what is to be skipped before', async () => {
      h.fresh()
      await h.save(...Array.from({ length: 9000 }, (_, i) => `{"_id":${i},"n":${i % 1500}}`))
      const asked = { q: '{"n":7}', limit: 100, partialAfterMs: 0 }
      assert.deepEqual((await pagesOf(h, asked)).flat(), [7, 1507, 3007, 4507, 6007, 7507])
      const skipped: (string | number)[] = []
      for (let part = await pageOf(h, { ...asked, skip: 3 }); ; ) {
        skipped.push(...part.ids)
        if (part.end === undefined) break
        part = await pageOf(h, { ...asked, after: part.end })
      }
      assert.deepEqual(skipped, [4507, 6007, 7507])
    })

    it('goes on behind values of every type', async () => {
      h.fresh()
      const values =
        '[null,-1.5,9007199254740992,9007199254740993,"","a","é","😀",{},{"a":1},{"a":2},[[]],[[1]],false,true]'
      const { length } = JSON.parse(values) as unknown[]
      const texts = values.slice(1, -1).split(/,(?![^[{]*[\]}])/)
      await h.save(...texts.map((text, i) => `{"_id":${i},"v":{"w":${text}}}`))
      const inOrder = Array.from({ length }, (_, i) => i)
      const up = await pagesOf(h, { s: '{"v.w":1}', limit: 1 })
      assert.deepEqual(up.flat(), inOrder)
      const down = await pagesOf(h, { s: '{"v.w":-1}', limit: 1 })
      assert.deepEqual(down.flat(), inOrder.toReversed())
    })

    it('neither repeats nor loses a document that stays, while others come and go', async () => {
      for (const s of ['{}', '{"n":1}', '{"n":-1}']) {
        h.fresh()
        await h.save(
          ...Array.from({ length: 9 }, (_, i) => `{"_id":"${i}","n":${s === '{"n":-1}' ? -i : i}}`),
        )
        const between = async (page: number) => {
          if (page !== 1) return
          // The page's last document goes, and so does one behind it; those that come stand before and behind.
          await h.store.deleteDocument({ ...h.at, ids: ['2'] })
          await h.store.deleteDocument({ ...h.at, ids: ['4'] })
          await h.save('{"_id":"new","n":0.5}', '{"_id":"newer","n":-0.5}')
        }
        const all = (await pagesOf(h, { s, limit: 3 }, between)).flat()
        const stayed = all.filter((id) => !String(id).startsWith('new'))
        assert.deepEqual(stayed, ['0', '1', '2', '3', '5', '6', '7', '8'])
      }
    })

    it('goes on where the last document was, also when it was changed or saved anew', async () => {
      h.fresh()
      await h.save(...[1, 2, 3, 4].map((n) => `{"_id":"${n}","n":${n}}`))
      const sorted = await pageOf(h, { s: '{"n":1}', limit: 2 })
      const plain = await pageOf(h, { limit: 2 })
      await h.updateOne('2', '{"$set":{"n":9}}')
      assert.deepEqual((await pageOf(h, { s: '{"n":1}', limit: 9, after: sorted.end })).ids, ['3', '4', '2'])
      assert.deepEqual((await pageOf(h, { limit: 9, after: plain.end })).ids, ['3', '4'])
      await h.store.deleteDocument({ ...h.at, ids: ['2'] })
      await h.save('{"_id":"2"}')
      assert.deepEqual((await pageOf(h, { limit: 9, after: plain.end })).ids, ['3', '4', '2'])
    })

    it('gives no place to a second document, also after it is opened again', async () => {
      h.fresh()
      await h.save('{"_id":"a"}', '{"_id":"b"}')
      const { end } = await pageOf(h, { limit: 2 })
      await h.store.deleteDocument({ ...h.at, ids: ['b'] })
      await h.reopen()
      await h.save('{"_id":"c"}')
      assert.deepEqual((await pageOf(h, { limit: 2, after: end })).ids, ['c'])
    })

    it('refuses the cursor of a collection that was dropped when another has its name, and is at its end before', async () => {
      h.fresh()
      const rows = Array.from({ length: 4 }, (_, i) => `{"_id":${i},"n":${i}}`)
      await h.save(...rows)
      const ends: [string, Cursor][] = []
      for (const s of ['{}', '{"n":1}', '{"_id":-1}']) ends.push([s, (await pageOf(h, { s, limit: 2 })).end!])
      await h.store.dropCollection(h.at)
      for (const [s, end] of ends)
        assert.deepEqual(await pageOf(h, { s, limit: 2, after: end }), { ids: [], end: undefined })
      await h.reopen()
      await h.save(...rows)
      for (const [s, end] of ends)
        await assert.rejects(pageOf(h, { s, limit: 2, after: end }), { code: 'invalid_cursor' })
      assert.deepEqual(await pagesOf(h, { s: '{"n":-1}', limit: 3 }), [[3, 2, 1], [0]])
    })

    it('says where a page ends that comes in several pieces, and ends it there', async () => {
      h.fresh()
      const text = 'y'.repeat(1000)
      for (let from = 0; from < 3000; from += 1000)
        await h.save(
          ...Array.from({ length: 1000 }, (_, i) => `{"_id":${from + i},"r":${-from - i},"t":"${text}"}`),
        )
      const all = Array.from({ length: 3000 }, (_, i) => i)
      for (const q of ['{}', '{"t":{"$regex":"y+"}}']) {
        assert.deepEqual(await pagesOf(h, { q, limit: 1300 }), [
          all.slice(0, 1300),
          all.slice(1300, 2600),
          all.slice(2600),
        ])
      }
      const down = all.toReversed()
      assert.deepEqual(await pagesOf(h, { s: '{"r":1}', limit: 2000 }), [
        down.slice(0, 2000),
        down.slice(2000),
      ])
    })

    it('ends a page where it said, whatever is deleted, changed and saved while it is sent', async () => {
      for (const q of ['{}', '{"t":{"$regex":"y$"}}', '{"_id":{"$gte":0}}']) {
        h.fresh()
        const text = 'x'.repeat(2000)
        for (let from = 0; from < 2000; from += 1000)
          await h.save(
            ...Array.from(
              { length: 1000 },
              (_, i) => `{"_id":${from + i},"t":"${text}${i === 500 ? 'z' : 'y'}"}`,
            ),
          )
        const command = { ...h.at, filter: filterOf(q), sort: [], skip: 0, limit: 1200, wantsEnd: true }
        const found = await h.store.findDocuments(command)
        const gone = Array.from({ length: 100 }, (_, i) => 600 + i)
        await h.store.deleteDocuments({ ...h.at, filter: filterOf(`{"_id":{"$in":[${gone}]}}`) })
        await h.updateMany('{"_id":500}', '{"$set":{"t":"y"}}')
        await h.save('{"_id":2000,"t":"y"}')
        const sent = (JSON.parse(await textOf(found)) as { _id: number }[]).map(({ _id }) => _id)
        const { ids: next } = await pageOf(h, { q, limit: 1200, after: found.end })
        assert.ok(sent.length <= 1200)
        const all = [...sent, ...next].filter((id) => !gone.includes(Number(id)) && id !== 500 && id !== 1500)
        const stayed = Array.from({ length: 2001 }, (_, i) => i).filter(
          (id) => !gone.includes(id) && id !== 500 && id !== 1500,
        )
        assert.deepEqual(all, stayed)
      }
    })

    it('pages by as many fields as a cursor carries, and by no more', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2}', '{"_id":3,"f31":[{"a":0}]}')
      const sortBy = (count: number) => `{${Array.from({ length: count }, (_, i) => `"f${i}":1`).join()}}`
      assert.deepEqual(await pagesOf(h, { s: sortBy(32), limit: 2 }), [[1, 2], [3]])
      const more = await pageOf(h, { s: sortBy(33), limit: 2 })
      assert.deepEqual(more, { ids: [1, 2], end: undefined })
    })
  })
}
