import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { encode, encodeChunks, preferredCoding } from './content-coding.ts'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
const CODINGS = ['br', 'gzip', 'zstd'] as const

describe('the content coding of an answer', () => {
  const cases: [accepted: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['compress, x-unknown', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.9, zstd;q=0.5', 'gzip'],
    ['gzip; q=0.5 , br ; q=0.8', 'br'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br;q=0.001', 'br'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0, br;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.6', 'gzip'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0', undefined],
    // What is no weight is none.
    ['gzip;q=2', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=0.1234', undefined],
    ['gzip;q=é', undefined],
    [',,;;,gzip,', 'gzip'],
    [`${'x,'.repeat(10_000)}br`, 'br'],
  ]
  for (const [accepted, coding] of cases)
    it(`is ${coding ?? 'none'} for Accept-Encoding: ${accepted?.slice(-60)}`, () => {
      assert.equal(preferredCoding(accepted), coding)
      assert.equal(preferredCoding(accepted), coding)
    })
})

describe('a body in a content coding', () => {
  for (const coding of CODINGS)
    it(`is the same when it is decoded, whole or in pieces (${coding})`, async () => {
      for (const length of [0, 1, 1024, 16 * 1024, 16 * 1024 + 1, 3_000_000]) {
        const bytes = Buffer.from('aé漢😀'.repeat(length / 10 + 1)).subarray(0, length)
        const whole = encode(coding, bytes)
        // What takes longer than an event loop may be held is made on a thread.
        assert.equal(whole instanceof Promise, length > 16 * 1024, String(length))
        assert.ok(DECODERS[coding](await whole).equals(bytes), String(length))
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < length; at += 100_000) yield bytes.subarray(at, at + 100_000)
        }
        const coded = await Array.fromAsync(encodeChunks(coding, chunks()))
        assert.ok(DECODERS[coding](Buffer.concat(coded)).equals(bytes), String(length))
      }
    })

  it('fails as the pieces fail that it is made of', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(10)
      throw new Error('broken')
    }
    await assert.rejects(Array.fromAsync(encodeChunks('gzip', failing())), /broken/)
  })

  it('stops the pieces when nobody takes it any more', async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (let i = 0; ; i++)
          yield Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * 7919 * i) & 255))
      } finally {
        resolve()
      }
    }
    for await (const chunk of encodeChunks('zstd', endless())) if (chunk.length > 0) break
    await stopped
  })
})
