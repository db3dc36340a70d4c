import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { DocumentCache } from './document-cache.ts'

it('keeps documents, and nothing for names that hold none', async () => {
  const cache = new DocumentCache(new SeqlockTable(createSeqlockCells()), 500)
  const read = (id: string, text: string | undefined) =>
    cache.get({ app: 'app', collection: 'c', ids: [id] }, async () => text)
  assert.equal(await read('x', '{"_id":"x"}'), '{"_id":"x"}')
  for (const id of ['a', 'b']) assert.equal(await read(id, undefined), undefined)
  // One more would have taken its room.
  assert.equal(read('x', 'read again'), '{"_id":"x"}')
})
