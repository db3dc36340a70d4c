import assert from 'node:assert/strict'
import { Agent, request } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { startTestServer, type TestServer } from './start-test-server.ts'

/** After which an answer counts as one that never ends; a server sends the longest of these in a fraction of it. */
const ENDS_MS = 10_000

/** A few characters of each: of one, two, three and four bytes in UTF-8. */
const SCRIPTS = {
  ascii: 'plain text ',
  latin: 'é',
  greek: 'Ελληνικά ',
  chinese: '數據庫文檔',
  emoji: '😀🧵',
  mixed: 'aé漢😀Ω',
}
type Script = keyof typeof SCRIPTS

/** Where the server or Node.js changes its way. */
const BOUNDARIES = [
  1024, // compressed from here on
  16 * 1024, // one TLS record; sent as bytes and compressed on a thread from here on
  32 * 1024, // parsed on a thread from here on
  64 * 1024, // a chunk of a bulk's answer, in UTF-16 units, and what Node.js 26 can't finish as a text
  256 * 1024, // what may wait on a connection
  1024 * 1024, // sent in chunks from here on
]
/** Around each of them, and small ones. */
export const SIZES = [1, 100, ...BOUNDARIES.flatMap((size) => [size - 200, size - 1, size + 1])]
const CODINGS = {
  identity: (b: Buffer) => b,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}
type Coding = keyof typeof CODINGS

/** A text of about so many bytes of UTF-8, of whole characters. */
function textOf(script: Script, bytes: number): string {
  const sample = SCRIPTS[script]
  const text = sample.repeat(Math.ceil(bytes / Buffer.byteLength(sample)))
  let end = text.length
  for (let size = Buffer.byteLength(text); size > bytes && end > 1; ) {
    const last = text.codePointAt(end - 2)! > 0xffff ? 2 : 1
    size -= Buffer.byteLength(text.slice(end - last, end))
    end -= last
  }
  return text.slice(0, end)
}

/** Documents that make an array of about so many bytes, each at most half a megabyte. */
function documentsOf(script: Script, bytes: number): string[] {
  const count = Math.ceil(bytes / (512 * 1024))
  const text = textOf(script, Math.max(1, Math.floor(bytes / count) - 20))
  return Array.from({ length: count }, (_, n) => `{"_id":${n},"t":"${text}"}`)
}

interface Exchange {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** False for a connection of its own, which the answer ends. */
  readonly agent?: Agent | false
}

/** Tries answers of these sizes, in bytes, in every script. */
export function describeScripts(sizes: readonly number[]): void {
  describe('an answer with text of any script and of any size, however it is compressed', () => {
    let server: TestServer
    const keepAlive = new Agent({ keepAlive: true, rejectUnauthorized: false })
    before(async () => {
      server = await startTestServer({ limits: { bodyBytes: 64 * 1024 * 1024 } })
    })
    after(() => {
      keepAlive.destroy()
      return server.close()
    })

    /** One request whose answer has to end in time. */
    function exchange(
      coding: Coding,
      { method, path, body, agent = keepAlive }: Exchange,
    ): Promise<{ status: number; text: string; coding: string }> {
      const headers = {
        'X-Service-API-Key': server.keys.full,
        ...(coding !== 'identity' && { 'Accept-Encoding': coding }),
      }
      return new Promise((resolve, reject) => {
        const sent = request(
          { port: server.port, method, path, headers, rejectUnauthorized: false, agent },
          (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
            incoming.on('error', reject)
            incoming.on('end', () => {
              clearTimeout(timer)
              const received = incoming.headers['content-encoding'] ?? 'identity'
              const bytes = Buffer.concat(chunks)
              const text = CODINGS[received as Coding](bytes).toString()
              resolve({ status: incoming.statusCode!, text, coding: received })
            })
          },
        )
        const timer = setTimeout(() => sent.destroy(new Error(`${method} ${path} did not end`)), ENDS_MS)
        sent.on('error', reject)
        sent.end(body)
      })
    }

    for (const [shift, script] of (Object.keys(SCRIPTS) as Script[]).entries())
      it(`ends with its last byte when it is ${script}`, async () => {
        for (const [index, size] of sizes.entries()) {
          const path = `/apps/demo/collections/${script}${size}`
          const coding = (Object.keys(CODINGS) as Coding[])[(index + shift) % 4]!
          const documents = documentsOf(script, size)
          const array = `[${documents.join(',')}]`
          const expected = array.length > 2 ? array : '[]'
          const about = `${script} ${size} ${coding}`
          const wanted = Buffer.byteLength(array) < 1024 ? 'identity' : coding
          const saved = await exchange(coding, { method: 'POST', path, body: array, agent: false })
          assert.deepEqual([saved.status, saved.coding], [201, wanted], about)
          assert.ok(saved.text === expected, about)
          // Memory answers the same question from the third time on.
          for (const [query, agent] of [
            ['', false],
            ['', keepAlive],
            ['', false],
            ['?l=100000&s={"_id":1}', keepAlive],
            ['?q={"t":{"$not":1}}', keepAlive],
          ] as const) {
            const list = await exchange(coding, { method: 'GET', path: path + encodeURI(query), agent })
            assert.deepEqual([list.status, list.coding], [200, wanted], `${about} ${query}`)
            assert.ok(list.text === expected, `${about} ${query}`)
          }
          assert.equal(
            (await exchange(coding, { method: 'GET', path: `${path}?c=true` })).text,
            String(documents.length),
          )
          for (let round = 0; round < 2; round++) {
            const one = await exchange(coding, { method: 'GET', path: `${path}/0` })
            assert.ok(one.text === documents[0], about)
          }
          assert.ok(
            (await exchange(coding, { method: 'PUT', path: `${path}/0`, body: documents[0]! })).text ===
              documents[0],
            about,
          )
        }
        assert.deepEqual(server.faults, [])
      })
  })
}
