import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import { parseSort } from '../src/query/sort.ts'
import type { ExportCommand, ExportFormat } from '../src/storage/export-store.ts'
import { ContractHarness, filterOf, type OpenStore, projectionOf } from './contract-harness.ts'

interface Wanted {
  readonly q?: string
  readonly s?: string
  readonly f?: string
  readonly format?: ExportFormat
}

interface FieldsWanted {
  readonly wanted?: Wanted
  readonly names?: number
  readonly units?: number
}

const CSV = { kind: 'csv', isWhole: false, isGuarded: false } as const
/** Several chunks together. */
const LONG = 'x'.repeat(3000)
const MANY = 600

/** What holds for exports on every engine; `open` gives it an empty app. */
export function describeExports(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: exports`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    const command = ({ q = '{}', s = '{}', f, format = { kind: 'ndjson' } }: Wanted = {}): ExportCommand => ({
      ...h.at,
      filter: filterOf(q),
      sort: parseSort(parseJson(s, DEFAULT_LIMITS), DEFAULT_LIMITS),
      ...(f !== undefined && { projection: projectionOf(f) }),
      format,
    })
    const exported = async (wanted?: Wanted): Promise<string> =>
      (await Array.fromAsync(h.store.exportDocuments(command(wanted)))).join('')
    const fields = ({ wanted = {}, names = 100, units = 1000 }: FieldsWanted = {}) =>
      h.store.listFields({ ...command(wanted), most: { names, units } })
    const csv = (columns: readonly string[], more: object = {}): Wanted => ({
      format: { ...CSV, columns, ...more },
    })
    const saveMany = (prefix: string, count = MANY) =>
      h.save(...Array.from({ length: count }, (_, i) => `{"_id":"${prefix}${i}","text":"${LONG}"}`))

    it('are empty of a collection that is not there', async () => {
      h.fresh()
      assert.equal(await exported(), '')
      assert.deepEqual(await fields(), [])
    })

    it('have the exact text of each document on a line, in natural order', async () => {
      h.fresh()
      const texts = [
        '{"_id":2,"10":1,"2":2,"__proto__":3,"":4}',
        '{"_id":"a","n":1.10,"big":9007199254740993,"tiny":1e-400,"minus":-0}',
        '{"_id":"1","text":"\u2028 \\u0001 \\n é 😀","nested":{"a":[1.0,{"b":null}]}}',
      ]
      await h.save(...texts)
      assert.equal(await exported(), texts.map((text) => `${text}\n`).join(''))
    })

    it('tell what a find would: matches in their order, of which a projection leaves a part', async () => {
      h.fresh()
      await h.save('{"_id":1,"n":2,"a":"x"}', '{"_id":2,"n":1}', '{"_id":3,"n":1.0,"a":"y"}')
      assert.equal(await exported({ q: '{"n":1}', f: '{"a":1}' }), '{"_id":2}\n{"_id":3,"a":"y"}\n')
      assert.equal(
        await exported({ s: '{"n":1,"_id":-1}', f: '{"_id":1}' }),
        '{"_id":3}\n{"_id":2}\n{"_id":1}\n',
      )
      assert.deepEqual(await fields({ wanted: { q: '{"_id":{"$gt":1}}' } }), ['_id', 'n', 'a'])
    })

    it('are rows of CSV, in which numbers keep their digits', async () => {
      h.fresh()
      await h.save(
        '{"_id":1,"a":"x,y","b":"say \\"hi\\"","c":1.10}',
        '{"_id":"two","a":"line\\r\\nend","b":"","c":null,"d":true}',
        '{"_id":3,"c":{"deep":[1.0,"a"]},"\\u0061":"escaped"}',
      )
      assert.equal(
        await exported(csv(['_id', 'a', 'b', 'c', 'none'])),
        '1,"x,y","say ""hi""",1.10,\r\n' +
          'two,"line\r\nend","",,\r\n' +
          '3,escaped,,"{""deep"":[1.0,""a""]}",\r\n',
      )
      assert.deepEqual(await fields(), ['_id', 'a', 'b', 'c', 'd'])
    })

    for (const s of ['{}', '{"_id":-1}'])
      it(`list no more names of fields than may be, of one document and of several, sorted by ${s}`, async () => {
        h.fresh()
        await h.save('{"_id":1,"a":1,"bc":1}', '{"_id":2,"a":1}', '{"_id":3,"def":1}')
        const among = (most: object, q = '{}') => fields({ wanted: { q, s }, ...most })
        assert.deepEqual((await among({ names: 4, units: 9 }))?.toSorted(), ['_id', 'a', 'bc', 'def'])
        assert.equal(await among({ names: 3 }), undefined)
        assert.equal(await among({ units: 8 }), undefined)
        assert.deepEqual(await among({ names: 3 }, '{"_id":1}'), ['_id', 'a', 'bc'])
        assert.equal(await among({ names: 2 }, '{"_id":1}'), undefined)
      })

    it('guard texts alone that a spreadsheet would take for formulas', async () => {
      h.fresh()
      await h.save('{"_id":1,"a":"=cmd|x","b":"@a","c":-1,"d":"\\ta","e":"\'=","f":"+1","g":"-1","h":"\\r"}')
      const columns = [...'abcdefgh']
      assert.equal(await exported(csv(columns)), '=cmd|x,@a,-1,\ta,\'=,+1,-1,"\r"\r\n')
      assert.equal(
        await exported(csv(columns, { isGuarded: true })),
        "'=cmd|x,'@a,-1,'\ta,'=,'+1,'-1,\"'\r\"\r\n",
      )
    })

    it('break off at a field that has no column, where there has to be one for each', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2,"new":1}')
      await assert.rejects(exported(csv(['_id'], { isWhole: true })), { code: 'changed_meanwhile' })
      assert.equal(await exported(csv(['_id', 'new'], { isWhole: true })), '1,\r\n2,1\r\n')
    })

    for (const s of ['{}', '{"text":1,"_id":1}'])
      it(`break off where the collection is dropped, also where it is made anew, sorted by ${s}`, async () => {
        for (const isMadeAnew of [false, true]) {
          h.fresh()
          await saveMany('old')
          const chunks = h.store.exportDocuments(command({ s }))[Symbol.asyncIterator]()
          assert.equal((await chunks.next()).done, false)
          await h.store.dropCollection(h.at)
          if (isMadeAnew) await saveMany('new')
          const drained = async (): Promise<void> => {
            while (!(await chunks.next()).done);
          }
          await assert.rejects(drained(), { code: 'changed_meanwhile' })
        }
      })

    it('go on where the collection gets another name, or goes to the bin, and another one has the old name', async () => {
      h.fresh()
      await saveMany('old')
      const whole = await exported(command({}))
      const moves = [
        () => h.store.collections.rename({ ...h.at, to: `${h.at.collection} moved`, now: 0 }),
        () => h.store.collections.bin({ ...h.at, by: 'ada', now: Date.now() }),
      ]
      for (const move of moves) {
        h.fresh()
        await saveMany('old')
        const chunks = h.store.exportDocuments(command({}))[Symbol.asyncIterator]()
        let text = (await chunks.next()).value as string
        await move()
        await saveMany('new')
        for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += next.value
        assert.equal(text, whole)
      }
    })

    it('have each document that stays exactly once, whatever is written meanwhile', async () => {
      h.fresh()
      await saveMany('a')
      let text = ''
      let chunk = 0
      for await (const lines of h.store.exportDocuments(command())) {
        text += lines
        if (chunk++ > 0) continue
        await h.save('{"_id":"a0","changed":true}', '{"_id":"a599","changed":true}')
        await h.store.deleteDocument({ ...h.at, ids: ['a300'] })
        await saveMany('b', 3)
      }
      const ids = text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { _id: string })._id)
      assert.equal(new Set(ids).size, ids.length)
      for (let i = 0; i < MANY; i++) assert.ok(i === 300 || ids.includes(`a${i}`), `a${i}`)
    })

    it('stop when nobody waits any more', async () => {
      h.fresh()
      await saveMany('a')
      let isCancelled = false
      const chunks = h.store.exportDocuments({ ...command(), isCancelled: () => isCancelled })
      await assert.rejects(
        async () => {
          for await (const _ of chunks) isCancelled = true
        },
        { code: 'deadline_exceeded' },
      )
    })
  })
}
