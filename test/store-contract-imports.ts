import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { OnConflict } from '../src/domain/on-conflict.ts'
import type { AppError } from '../src/errors.ts'
import type { ImportCommand, ImportCounts, StagedImport } from '../src/storage/import-store.ts'
import { type PackedDocuments, packDocuments } from '../src/storage/packed.ts'
import { ContractHarness, filterOf, type OpenStore, textOf } from './contract-harness.ts'

/** More than is kept in memory until the end. */
const MANY = 3000
const parts: readonly string[][] = Array.from({ length: 3 }, (_, part) =>
  Array.from({ length: MANY / 3 }, (_, n) => {
    const number = (part * MANY) / 3 + n
    return `{"_id":"d${number}","n":${number}}`
  }),
)

type Terms = Partial<Pick<ImportCommand, 'onConflict' | 'skipsRefused' | 'onRefused'>>

/** What holds for imports on every engine; `open` gives it an empty app. */
export function describeImports(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: imports`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    const begin = (terms: Terms = {}): Promise<StagedImport> =>
      h.store.beginImport({ ...h.at, onConflict: 'fail', skipsRefused: false, ...terms })
    const importing = async (texts: readonly string[], terms: Terms = {}) => {
      const staged = await begin(terms)
      await staged.add(packed(texts))
      return staged.finish()
    }

    it('shows nothing before it is finished, and then all of it, behind what was there', async () => {
      h.fresh()
      await h.save('{"_id":"z"}')
      const staged = await begin()
      await staged.add(packed(['{"_id":"b"}', '{"_id":2}']))
      await staged.add(packed(['{"_id":"a"}']))
      assert.equal(await h.find('{}'), '[{"_id":"z"}]')
      assert.deepEqual(await staged.finish(), { created: 3, replaced: 0, skipped: 0, refused: 0 })
      assert.equal(await h.find('{}'), '[{"_id":"z"},{"_id":"b"},{"_id":2},{"_id":"a"}]')
    })

    it('assigns an _id where there is none, and puts it first', async () => {
      h.fresh()
      assert.equal((await importing(['{"a":1}'])).created, 1)
      assert.match(await h.find('{}'), /^\[\{"_id":"[0-9A-Z]{26}","a":1\}\]$/)
    })

    it('keeps numbers and placeholders as they are written', async () => {
      h.fresh()
      const text = '{"_id":1,"n":1.50,"big":12345678901234567890,"p":"Service.ServerValue.Timestamp"}'
      await importing([text])
      assert.equal(await h.find('{}'), `[${text}]`)
    })

    it('is refused whole where an _id is there already, and names the document', async () => {
      h.fresh()
      await h.save('{"_id":"a","v":1}')
      const refused = { code: 'document_exists', documentIndex: 1 }
      await assert.rejects(importing(['{"_id":"b"}', '{"_id":"a","v":2}']), refused)
      assert.equal(await h.find('{}'), '[{"_id":"a","v":1}]')
    })

    it('is refused whole where an _id comes twice', async () => {
      h.fresh()
      const refused = { code: 'document_exists', documentIndex: 2 }
      await assert.rejects(importing(['{"_id":"a"}', '{"_id":"b"}', '{"_id":"a"}']), refused)
      assert.equal(await h.find('{}'), '[]')
    })

    it('leaves no collection behind where it is refused, discarded or empty', async () => {
      h.fresh()
      await assert.rejects(importing(['{"_id":"a"}', '{"_id":"a"}']), { code: 'document_exists' })
      const staged = await begin()
      await staged.add(packed(['{"_id":"a"}']))
      await staged.discard()
      assert.deepEqual(await importing([]), { created: 0, replaced: 0, skipped: 0, refused: 0 })
      assert.ok(!(await h.store.listCollections(h.app)).includes(h.at.collection))
    })

    it('leaves out what is refused where it was told to, and tells of it', async () => {
      h.fresh()
      await h.save('{"_id":"a","v":1}')
      const told: [number, string][] = []
      const onRefused = (document: number, { code }: AppError): unknown => told.push([document, code])
      const texts = ['{"_id":"a","v":2}', '{"_id":"b"}', '{"_id":"b","v":2}', '{"_id":"c"}']
      assert.deepEqual(await importing(texts, { skipsRefused: true, onRefused }), {
        created: 2,
        replaced: 0,
        skipped: 0,
        refused: 2,
      })
      assert.deepEqual(told, [
        [0, 'document_exists'],
        [2, 'document_exists'],
      ])
      assert.equal(await h.find('{}'), '[{"_id":"a","v":1},{"_id":"b"},{"_id":"c"}]')
    })

    it('skips what is there where it was told to', async () => {
      h.fresh()
      await h.save('{"_id":"a","v":1}')
      assert.deepEqual(await importing(['{"_id":"b"}', '{"_id":"a","v":2}'], { onConflict: 'skip' }), {
        created: 1,
        replaced: 0,
        skipped: 1,
        refused: 0,
      })
      assert.equal(await h.find('{}'), '[{"_id":"a","v":1},{"_id":"b"}]')
    })

    it('replaces what is there in its place where it was told to', async () => {
      h.fresh()
      await h.save('{"_id":"a","v":1}', '{"_id":"z"}')
      const texts = ['{"_id":"b"}', '{"_id":"a","v":2}', '{"_id":"b","v":3}']
      assert.deepEqual(await importing(texts, { onConflict: 'replace' }), {
        created: 1,
        replaced: 2,
        skipped: 0,
        refused: 0,
      })
      assert.equal(await h.find('{}'), '[{"_id":"a","v":2},{"_id":"z"},{"_id":"b","v":3}]')
      assert.equal(await h.find('{"v":{"$gt":1}}'), '[{"_id":"a","v":2},{"_id":"b","v":3}]')
    })

    it('takes more than is done in one go, behind what was there', async () => {
      h.fresh()
      await h.save('{"_id":"z"}')
      const staged = await begin()
      for (const texts of parts) await staged.add(packed(texts))
      assert.equal(await h.find('{}'), '[{"_id":"z"}]')
      assert.equal((await staged.finish()).created, MANY)
      await h.save('{"_id":"later"}')
      const all = ['{"_id":"z"}', ...parts.flat(), '{"_id":"later"}']
      assert.equal(await h.find('{}', { limit: 2 * MANY }), `[${all.join(',')}]`)
      assert.equal(await h.find('{"n":2999}'), '[{"_id":"d2999","n":2999}]')
      assert.equal(await h.store.deleteDocuments({ ...h.at, filter: filterOf('{}') }), MANY + 2)
    })

    it('refuses the last of many documents, and leaves nothing of the others', async () => {
      h.fresh()
      await h.save('{"_id":"d2999","v":1}')
      const staged = await begin()
      const work = async (): Promise<unknown> => {
        for (const texts of parts) await staged.add(packed(texts))
        return staged.finish()
      }
      await assert.rejects(work(), { code: 'document_exists', documentIndex: 2999 })
      assert.equal(await h.find('{}'), '[{"_id":"d2999","v":1}]')
      assert.equal((await importing(['{"_id":"b"}'])).created, 1)
    })

    it('leaves nothing of many documents that are discarded', async () => {
      h.fresh()
      const staged = await begin()
      for (const texts of parts) await staged.add(packed(texts))
      await staged.discard()
      assert.ok(!(await h.store.listCollections(h.app)).includes(h.at.collection))
    })

    const meanwhile: [OnConflict, Partial<ImportCounts>, string][] = [
      ['skip', { created: MANY - 2, skipped: 2 }, '{"_id":"d0","v":2},{"_id":"mine"},{"_id":"d1","v":1}'],
      ['replace', { created: MANY - 2, replaced: 2 }, '{"_id":"d0","n":0},{"_id":"mine"},{"_id":"d1","n":1}'],
    ]
    for (const [onConflict, counts, first] of meanwhile)
      it(`has what was written meanwhile, where it was told to ${onConflict} what is there`, async () => {
        h.fresh()
        await h.save('{"_id":"d0","v":1}', '{"_id":"gone"}', '{"_id":"mine","v":1}')
        const staged = await begin({ onConflict })
        for (const texts of parts) await staged.add(packed(texts))
        await h.save('{"_id":"d0","v":2}', '{"_id":"d1","v":1}', '{"_id":"mine"}')
        await h.deleteOne('gone')
        assert.deepEqual(await staged.finish(), {
          created: 0,
          replaced: 0,
          skipped: 0,
          refused: 0,
          ...counts,
        })
        const rest = parts.flat().slice(2)
        assert.equal(await h.find('{}', { limit: 2 * MANY }), `[${[first, ...rest].join(',')}]`)
        assert.equal(await h.store.countDocuments({ ...h.at, filter: filterOf('{}') }), MANY + 1)
      })

    it('counts what it replaces once, where that is deleted and saved anew meanwhile', async () => {
      h.fresh()
      await h.save('{"_id":"d0","v":1}')
      const staged = await begin({ onConflict: 'replace' })
      for (const texts of parts) await staged.add(packed(texts))
      await staged.add(packed([]))
      await h.deleteOne('d0')
      await h.save('{"_id":"d0","v":2}')
      const counts = { created: MANY - 1, replaced: 1, skipped: 0, refused: 0 }
      assert.deepEqual(await staged.finish(), counts)
      assert.equal(await h.find('{}', { limit: 2 * MANY }), `[${parts.flat().join(',')}]`)
    })

    it('is refused at its end where an _id was taken meanwhile', async () => {
      h.fresh()
      const staged = await begin()
      for (const texts of parts) await staged.add(packed(texts))
      await h.save('{"_id":"d1","v":1}')
      await assert.rejects(staged.finish(), { code: 'document_exists', documentIndex: 1 })
      assert.equal(await h.find('{}'), '[{"_id":"d1","v":1}]')
    })

    it('answers the page behind another one that was read before it was finished', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2}', '{"_id":3}')
      const page = { ...h.at, filter: filterOf('{}'), sort: [], skip: 0, limit: 2, wantsEnd: true }
      const { end } = await h.store.findDocuments(page)
      const staged = await begin()
      for (const texts of parts) await staged.add(packed(texts))
      await staged.finish()
      assert.ok(end !== undefined)
      const next = await h.store.findDocuments({ ...page, after: end })
      assert.equal(await textOf(next), '[{"_id":3},{"_id":"d0","n":0}]')
    })
  })
}

function packed(texts: readonly string[]): PackedDocuments {
  return packDocuments(
    texts.map((text) => {
      const id = (JSON.parse(text) as { _id?: string | number })._id
      return id === undefined ? { text } : { id, text }
    }),
  )
}
