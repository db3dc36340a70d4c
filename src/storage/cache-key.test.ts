import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVERY_DOCUMENT } from '../query/ast.ts'
import { countKey, type FindTexts, findKey } from './cache-key.ts'
import type { FindCommand } from './store.ts'

const TEXTS: FindTexts = { filter: undefined, sort: undefined, projection: undefined, after: undefined }
const COMMAND: FindCommand = {
  app: 'app',
  collection: 'c',
  filter: EVERY_DOCUMENT,
  sort: [],
  skip: 0,
  limit: 10,
  texts: TEXTS,
}
const written = (texts: Partial<FindTexts>) => findKey({ ...COMMAND, texts: { ...TEXTS, ...texts } })

describe('the key of a cached answer', () => {
  it('is another one where any part of the command that the answer depends on is another one', () => {
    const others = [
      findKey(COMMAND),
      findKey({ ...COMMAND, skip: 1 }),
      findKey({ ...COMMAND, limit: 1 }),
      findKey({ ...COMMAND, skip: 10, limit: 0 }),
      findKey({ ...COMMAND, wantsEnd: true }),
      ...(Object.keys(TEXTS) as (keyof FindTexts)[]).flatMap((text) => [
        written({ [text]: '' }),
        written({ [text]: '{}' }),
      ]),
    ]
    assert.equal(new Set(others).size, 5 + 4 * 2)
  })

  it('says where each text ends, whatever it holds', () => {
    const texts = ['', '-', '0:', '1:-', '\u0000', '2:{}', '{}']
    const keys = texts.flatMap((filter) => texts.map((sort) => written({ filter, sort })))
    assert.equal(new Set(keys).size, 7 * 7)
    assert.notEqual(written({ filter: '-', sort: undefined }), written({ filter: undefined, sort: '-' }))
  })

  it('is the same for the same command, whoever waits for it', () => {
    const watched = { ...COMMAND, isCancelled: () => false, onReport: () => undefined }
    assert.equal(findKey(watched), findKey(COMMAND))
    assert.equal(countKey(watched), countKey(COMMAND))
  })

  it('is there for no command that comes without its texts', () => {
    const { texts: _, ...other } = COMMAND
    assert.equal(findKey(other), undefined)
    assert.equal(countKey(other), undefined)
  })
})
