import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inserted, json } from '../../test/applied.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { stringify } from '../json/stringify.ts'
import { matches } from '../query/match.ts'
import { parseFilter } from '../query/parse.ts'
import { parseUpdate } from './parse.ts'
import { givenId, seedFromFilter } from './seed.ts'

function seedOf(query: string): string {
  return stringify(seedFromFilter(parseFilter(json(query), DEFAULT_LIMITS), 'modify'))
}

describe('seedFromFilter', () => {
  it('refuses two equalities on one field, or on a field and its parent', () => {
    for (const query of [
      '{"$and":[{"a":1},{"a":2}]}',
      '{"a":1,"$and":[{"a":1}]}',
      '{"a":{"b":1},"a.c":2}',
      '{"a.b.c":1,"a.b":{"d":2}}',
      '{"_id":1,"_id.a":1}',
    ])
      assert.throws(() => seedOf(query), { code: 'conflicting_paths' }, query)
  })

  it('takes nothing from conditions that leave the value open', () => {
    assert.equal(
      seedOf(
        '{"a":{"$gt":1},"b":{"$in":[1]},"c":{"$has":1},"d":{"$regex":"x"},"e":{"$not":1},"f":{"$nhas":1}}',
      ),
      '{}',
    )
    assert.equal(seedOf('{"a":{"$not":{"$not":1}}}'), '{}')
    assert.equal(seedOf('{}'), '{}')
  })

  it('takes every equality as it is written, inside of $and too', () => {
    assert.equal(
      seedOf('{"b":1.10,"a":{"$eq":[1]},"$and":[{"c.d":null},{"$and":[{"c.e":{"x.y":1}}]}],"_id":2.0}'),
      '{"b":1.10,"a":[1],"c":{"d":null,"e":{"x.y":1}},"_id":2.0}',
    )
    assert.equal(seedOf('{"a":{"$eq":1,"$gt":0}}'), '{"a":1}')
  })

  it('takes only the _id for a replacement, so that nothing else can conflict', () => {
    const filter = parseFilter(json('{"$and":[{"a":1},{"a":2}],"_id":5,"b":3}'), DEFAULT_LIMITS)
    assert.equal(stringify(seedFromFilter(filter, 'replace')), '{"_id":5}')
  })

  it('makes keys of all parts, of numbers, empty ones and __proto__', () => {
    assert.equal(
      seedOf('{"a.0.1":1,"b..c":2,"__proto__.x":3}'),
      '{"a":{"0":{"1":1}},"b":{"":{"c":2}},"__proto__":{"x":3}}',
    )
  })

  it('makes documents that the query finds', () => {
    for (const query of ['{"a.b":1.0,"a.c":{"$eq":null}}', '{"a":[1,[2]],"$and":[{"b":{"x":1}}]}']) {
      const filter = parseFilter(json(query), DEFAULT_LIMITS)
      assert.ok(matches(seedFromFilter(filter, 'modify'), filter))
    }
  })
})

describe('insertFromUpdate', () => {
  it('refuses another _id than the known one', () => {
    assert.throws(() => inserted('{"_id":"1"}', '{"_id":1}'), { code: 'immutable_id' })
    assert.throws(() => inserted('{"_id":1}', '{"$set":{"_id":2}}'), { code: 'immutable_id' })
    assert.throws(() => inserted('{"_id":1}', '{"$setOnInsert":{"_id":null}}'), { code: 'immutable_id' })
  })

  it('refuses an _id that can not be one', () => {
    assert.throws(() => inserted('{}', '{"_id":null}'), { code: 'invalid_id' })
    assert.throws(() => inserted('{}', '{"_id":""}'), { code: 'invalid_id' })
    assert.throws(() => inserted('{}', '{"$set":{"_id":[1]}}'), { code: 'invalid_id' })
    assert.throws(() => inserted('{"_id":true}', '{"$set":{"a":1}}'), { code: 'invalid_id' })
    assert.throws(() => inserted('{"_id":true}', '{"a":1}'), { code: 'invalid_id' })
    assert.throws(() => inserted('{}', `{"$set":{"_id":"${'a'.repeat(513)}"}}`), { code: 'invalid_id' })
  })

  it('refuses seeds that nest too deep', () => {
    const deep = `${'['.repeat(99)}${']'.repeat(99)}`
    assert.equal(inserted(`{"a":${deep}}`, '{"$set":{}}'), `{"a":${deep}}`)
    assert.throws(() => inserted(`{"a":[${deep}]}`, '{"$set":{}}'), { code: 'nesting_too_deep' })
  })

  it('leaves the _id out where none is known', () => {
    assert.equal(inserted('{}', '{"a":1}'), '{"a":1}')
    assert.equal(inserted('{"a":1}', '{"$inc":{"a":1}}'), '{"a":2}')
  })

  it('puts the _id first, and writes it as the body does', () => {
    assert.equal(inserted('{"a":1}', '{"$set":{"b":2,"_id":5.0}}'), '{"_id":5.0,"a":1,"b":2}')
    assert.equal(inserted('{"_id":5}', '{"$set":{"_id":5.0}}'), '{"_id":5.0}')
    assert.equal(inserted('{"a":1,"_id":5}', '{"$set":{"b":2}}'), '{"_id":5,"a":1,"b":2}')
    assert.equal(inserted('{"a":1,"_id":5}', '{"b":2}'), '{"_id":5,"b":2}')
    assert.equal(inserted('{"_id":5}', '{"b":2,"_id":5.0}'), '{"b":2,"_id":5.0}')
  })

  it('fills in placeholders of the update, the _id too, and none of the seed', () => {
    assert.equal(inserted('{}', '{"_id":"Service.ServerValue.UUID","a":1}'), '{"_id":"uuid-1","a":1}')
    assert.equal(
      inserted('{}', '{"$setOnInsert":{"_id":"Service.ServerValue.UNIQUE"}}'),
      '{"_id":"unique-1"}',
    )
    assert.equal(
      inserted('{"a":"Service.ServerValue.UUID"}', '{"$set":{"b":"Service.ServerValue.UUID"}}'),
      '{"a":"Service.ServerValue.UUID","b":"uuid-1"}',
    )
  })
})

describe('givenId', () => {
  it('finds the _id that an update gives, wherever it is written', () => {
    const given = (body: string) => givenId(parseUpdate(json(body), DEFAULT_LIMITS))
    assert.equal(given('{"a":1,"_id":5}'), 5)
    assert.equal(given('{"$set":{"a":1,"_id":5}}'), 5)
    assert.equal(given('{"$inc":{"a":1},"$setOnInsert":{"_id":"x"}}'), 'x')
    assert.equal(given('{"$set":{"a._id":5}}'), undefined)
    assert.equal(given('{}'), undefined)
  })
})
