import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeRules } from './describe-rules.ts'
import { UNLIMITED } from './key-rules.ts'
import { readKeyRules } from './read-key-rules.ts'

describe('the rules of a key as JSON', () => {
  it('are refused where they have another form', () => {
    for (const json of ['null', '[]', '"all"', '5', 'true'])
      assert.throws(() => readKeyRules(JSON.parse(json)), {
        code: 'invalid_rule',
        message: /must be an object/,
      })
    for (const [rule, value] of [
      ['permission', ['read']],
      ['apps', 'shop'],
      ['apps', [1]],
      ['apps', null],
      ['collections', {}],
      ['addresses', ''],
      ['websites', [['a']]],
      ['localhost', 'true'],
      ['rate', 5],
      ['expires', null],
      ['tokenLifetime', {}],
    ] as const)
      assert.throws(() => readKeyRules({ [rule]: value }), {
        code: 'invalid_rule',
        message: new RegExp(`^${rule} must be `),
      })
  })

  it('are refused where one is unknown, for it could be a limit that was misspelt', () => {
    for (const json of ['{"Apps":[]}', '{"app":["shop"]}', '{"__proto__":{}}', '{"constructor":1}', '{"":1}'])
      assert.throws(() => readKeyRules(JSON.parse(json)), { code: 'invalid_rule', message: / is no rule; / })
  })

  it('are read as they are described', () => {
    const described = describeRules(UNLIMITED)
    assert.deepEqual(readKeyRules(JSON.parse(JSON.stringify(described))), described)
    assert.deepEqual(readKeyRules({ apps: ['shop'], localhost: false }), { apps: ['shop'], localhost: false })
    assert.deepEqual(readKeyRules(undefined), {})
  })
})
