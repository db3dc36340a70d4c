import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { AppError } from '../src/errors.ts'
import type { ImportCommand, StagedImport } from '../src/storage/import-store.ts'
import { type PackedDocuments, packDocuments } from '../src/storage/packed.ts'
import { ContractHarness, type OpenStore } from './contract-harness.ts'

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
