import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { tagOf } from '../../domain/entity-tag.ts'
import { EncodedBodyCache } from './encoded-body-cache.ts'

const MIB = 1024 * 1024

describe('what is made of a body', () => {
  it('is made once where the body is likely to be asked for again, even by several at the same time', async () => {
    const bodies = new EncodedBodyCache({ compression: true })
    const short = '{"a":1}'.repeat(500)
    assert.equal(bodies.encoded(short, 'gzip', true), bodies.encoded(short, 'gzip', true))
    assert.notEqual(bodies.encoded(short, 'gzip', false), bodies.encoded(short, 'gzip', false))
    assert.notEqual(bodies.encoded(short, 'gzip', true), bodies.encoded(short, 'br', true))
    const long = Buffer.from('{"é":1}'.repeat(50_000))
    const [one, other] = await Promise.all([
      bodies.encoded(long, 'gzip', true),
      bodies.encoded(long, 'gzip', true),
    ])
    assert.equal(one, other)
    assert.equal(bodies.encoded(long, 'gzip', true), one)
    assert.ok(gunzipSync(one!).equals(long))
    assert.equal(bodies.tag(long, true), tagOf(long))
  })

  it('goes when there is no room, that of the oldest first, and is made anew', async () => {
    const bodies = new EncodedBodyCache({ compression: true })
    const first = Buffer.alloc(MIB, 1)
    const encoded = await bodies.encoded(first, 'zstd', true)
    for (let i = 0; i < 30; i++) bodies.tag(Buffer.alloc(MIB, i), true)
    assert.equal(bodies.encoded(first, 'zstd', true), encoded)
    for (let i = 0; i < 2; i++) bodies.tag(Buffer.alloc(MIB, i), true)
    const again = await bodies.encoded(first, 'zstd', true)
    assert.notEqual(again, encoded)
    assert.deepEqual(again, encoded)
  })
})
