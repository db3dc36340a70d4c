import assert from 'node:assert/strict'
import { request } from 'node:https'
import { after, before, describe, it, type TestContext } from 'node:test'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'

/** Of 500 bytes each. */
const DOCUMENTS = Number(process.env.SHEAF_SLOW_DOCUMENTS ?? 1_000_000)
const BULK = 10_000
const C = '/apps/demo/collections/many'
/** A second, on a machine that has other things to do; on two free cores it is ten times as many. */
const LEAST_RATE = 5000
const MOST_GROWTH_MIB = 100
const SAMPLE_MS = 50
/** On a slow machine; else it is some milliseconds. */
const MOST_READ_MS = 1000

describe(`an export of ${DOCUMENTS} documents`, () => {
  let dashboard: Dashboard
  let session: Credential

  before(async () => {
    dashboard = await Dashboard.start()
    session = await dashboard.session(await dashboard.account('ada@example.org', { isOperator: true }))
    for (let from = 0; from < DOCUMENTS; from += BULK) {
      const count = Math.min(BULK, DOCUMENTS - from)
      const body = `[${Array.from({ length: count }, (_, index) => documentText(from + index)).join(',')}]`
      const { status } = await dashboard.server.client.send('POST', C, {
        body,
        headers: { Prefer: 'return=minimal' },
      })
      assert.equal(status, 201)
    }
  })
  after(() => dashboard.close())

  for (const format of ['ndjson', 'csv'] as const)
    it(`as ${format} is whole, quick, and takes little memory`, async (t) => {
      const { lines, perSecond, growthMiB } = await measured(t, format)
      assert.equal(lines, format === 'csv' ? DOCUMENTS + 1 : DOCUMENTS)
      assert.ok(growthMiB <= MOST_GROWTH_MIB, `it grew by ${growthMiB} MiB`)
      assert.ok(perSecond >= LEAST_RATE, `${perSecond} documents a second`)
    })

  it('holds up none of the reads of others', async (t) => {
    const reading = new AbortController()
    const times = readOnes(reading.signal)
    await measured(t, 'json')
    reading.abort()
    const sorted = (await times).sort((a, b) => a - b)
    const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
    t.diagnostic(`${sorted.length} reads, p99 ${p99Ms.toFixed(1)} ms`)
    assert.ok(p99Ms < MOST_READ_MS)
  })

  async function measured(t: TestContext, format: string) {
    const { server } = dashboard
    const before = server.memoryMiB() ?? 0
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, server.memoryMiB() ?? 0)
    }, SAMPLE_MS)
    const began = performance.now()
    const lines = await download(`${C}/export?format=${format}`)
    const seconds = (performance.now() - began) / 1000
    clearInterval(timer)
    const perSecond = Math.round(lines / seconds)
    const growthMiB = Math.round(most - before)
    t.diagnostic(`${perSecond} documents a second, ${growthMiB} MiB more`)
    return { lines, perSecond, growthMiB }
  }

  /** One read of a document after the other. */
  async function readOnes(signal: AbortSignal): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; !signal.aborted; i = (i + 7919) % DOCUMENTS) {
      const began = performance.now()
      assert.equal((await dashboard.server.client.send('GET', `${C}/${i}`)).status, 200)
      times.push(performance.now() - began)
    }
    return times
  }

  /** @returns how many line feeds came */
  function download(path: string): Promise<number> {
    const { port, ca } = dashboard.server
    return new Promise((resolve, reject) => {
      const headers = { ...session, 'Sec-Fetch-Site': 'same-origin' }
      const sent = request(
        { host: '127.0.0.1', port, ca, path: `/_/api${path}`, headers },
        async (answer) => {
          let lines = 0
          try {
            for await (const chunk of answer as AsyncIterable<Buffer>) {
              assert.equal(answer.statusCode, 200, String(chunk))
              for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
            }
            resolve(lines)
          } catch (error) {
            reject(error)
          }
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  }
})

function documentText(id: number): string {
  const text = `{"_id":${id},"name":"document ${id}","n":${(id * 7919) % 10_007},"ok":${id % 2 === 0},"tags":["a","b"],"text":"`
  return `${text}${'x'.repeat(498 - text.length)}"}`
}
