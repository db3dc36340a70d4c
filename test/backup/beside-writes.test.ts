import assert from 'node:assert/strict'
import { it } from 'node:test'
import { backUpBesideWrites } from './beside-writes.ts'

it('a backup that is made while documents are saved has each that was acknowledged before it began', async () => {
  const { before, during } = await backUpBesideWrites({
    ...{ documents: 500, documentBytes: 2000, rate: 200, writers: 8 },
  })
  assert.ok(before >= 200 && during > 0, `${before} before, ${during} while it was made`)
})
