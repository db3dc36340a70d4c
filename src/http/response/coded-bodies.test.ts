import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { CodedBodies } from './coded-bodies.ts'
import { tagOf } from './entity-tag.ts'

const MIB = 1024 * 1024

describe('what is made of a body', () => {
  it('is made once where the body is likely to be asked for again, even by several at the same time', async () => {
    const bodies = new CodedBodies({ compression: true })
    const short = '{"a":1}'.repeat(500)
    assert.equal(bodies.coded(short, 'gzip', true), bodies.coded(short, 'gzip', true))
    assert.notEqual(bodies.coded(short, 'gzip', false), bodies.coded(short, 'gzip', false))
    assert.notEqual(bodies.coded(short, 'gzip', true), bodies.coded(short, 'br', true))
    const long = Buffer.from('{"é":1}'.repeat(50_000))
    const [one, other] = await Promise.all([
      bodies.coded(long, 'gzip', true),
      bodies.coded(long, 'gzip', true),
    ])
    assert.equal(one, other)
    assert.equal(bodies.coded(long, 'gzip', true), one)
    assert.ok(gunzipSync(one!).equals(long))
    assert.equal(bodies.tag(long, true), tagOf(long))
  })

  it('goes when there is no room, that of the oldest first, and is made anew', async () => {
    const bodies = new CodedBodies({ compression: true })
    const first = Buffer.alloc(MIB, 1)
    const coded = await bodies.coded(first, 'zstd', true)
    for (let i = 0; i < 30; i++) bodies.tag(Buffer.alloc(MIB, i), true)
    assert.equal(bodies.coded(first, 'zstd', true), coded)
    for (let i = 0; i < 2; i++) bodies.tag(Buffer.alloc(MIB, i), true)
    const again = await bodies.coded(first, 'zstd', true)
    assert.notEqual(again, coded)
    assert.deepEqual(again, coded)
  })
})
