import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { appFromDescription } from './app-description.ts'

describe('the description of an app in a backup', () => {
  it('is refused where it has more keys than the server may have, before any of them is read', () => {
    const text = JSON.stringify({ slug: 'shop', isAutoIndexOn: true, keys: [null, null, null] })
    assert.throws(() => appFromDescription(text, { now: 0, most: 2 }), { code: 'too_many_keys' })
    assert.throws(() => appFromDescription(text, { now: 0, most: 3 }), { code: 'invalid_backup' })
  })
})
