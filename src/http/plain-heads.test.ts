import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { PlainHeads } from './plain-heads.ts'

const KEEP_ALIVE_MS = 65_000

/** As much of a response as a head needs. */
function response(parts: { httpVersion?: string; shouldKeepAlive?: boolean } = {}) {
  const { httpVersion = '1.1', shouldKeepAlive = true } = parts
  const made = {
    req: { httpVersion },
    shouldKeepAlive,
    statusCode: 0,
    _header: null as string | null,
    get headersSent() {
      return made._header !== null
    },
  }
  return made
}

describe('the head of a plain answer', () => {
  const head = { status: 200, trace: { id: 'abc-1', isStrict: false }, length: 600 }
  const write = (heads: PlainHeads, to: object, what = head): boolean =>
    heads.write(to as unknown as ServerResponse, what)

  it('is left to Node where the connection ends, or where the client speaks an older HTTP', () => {
    const heads = new PlainHeads({ keepAliveMs: KEEP_ALIVE_MS, now: () => 0 })
    for (const parts of [{ httpVersion: '1.0' }, { shouldKeepAlive: false }]) {
      const to = response(parts)
      assert.equal(write(heads, to), false)
      assert.equal(to._header, null)
    }
  })

  it('is left to a Node that does not take it', () => {
    const heads = new PlainHeads({ keepAliveMs: KEEP_ALIVE_MS, now: () => 0 })
    assert.equal(write(heads, { ...response(), headersSent: false }), false)
  })

  it('has what changes, the date to the second', () => {
    let now = Date.UTC(2026, 0, 2, 3, 4, 5, 999)
    const heads = new PlainHeads({ keepAliveMs: KEEP_ALIVE_MS, now: () => now })
    const headAt = (time: number, what = head): string => {
      now = time
      const to = response()
      assert.equal(write(heads, to, what), true)
      assert.equal(to.statusCode, what.status)
      return to._header!
    }
    assert.equal(
      headAt(now, { status: 404, trace: { id: 'x', isStrict: true }, length: 1 }),
      'HTTP/1.1 404 Not Found\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n' +
        'Strict-Transport-Security: max-age=31536000\r\nX-Request-Id: x\r\nContent-Type: application/json\r\n' +
        'Content-Length: 1\r\nDate: Fri, 02 Jan 2026 03:04:05 GMT\r\nConnection: keep-alive\r\n' +
        'Keep-Alive: timeout=65\r\n\r\n',
    )
    assert.match(headAt(now + 1), /\r\nDate: Fri, 02 Jan 2026 03:04:06 GMT\r\n/)
    assert.match(headAt(now + 999), /\r\nDate: Fri, 02 Jan 2026 03:04:06 GMT\r\n/)
    // A clock that is set back.
    assert.match(headAt(now - 3_600_000), /\r\nDate: Fri, 02 Jan 2026 02:04:06 GMT\r\n/)
  })
})
