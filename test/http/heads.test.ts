import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestServer } from './start-test-server.ts'

const BODY = '{"_id":"x"}'

/** The heads of the answers on one connection, each as its lines; what differs from one answer to the next is cut out. */
function headsOf(text: string): string[][] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .map((answer) => answer.slice(0, answer.indexOf('\r\n\r\n')))
    .map((head) => head.replace(/(X-Request-Id|Date): [^\r]+/g, '$1').split('\r\n'))
}

describe('the head of an answer', () => {
  it('is the same for HEAD, and has more for a page and for the last answer of a connection', async (t) => {
    const server = await startTestServer({ isCertified: true, store: { getDocument: () => BODY } })
    t.after(() => server.close())
    const lines = ['Host: x', `X-Service-API-Key: ${server.keys.full}`]
    const request = (method: string, ...more: string[]): string =>
      [`${method} /apps/demo/collections/c/x HTTP/1.1`, ...lines, ...more, '', ''].join('\r\n')
    const text = await server.raw(
      request('GET') +
        request('HEAD') +
        request('GET', 'Origin: https://page.example') +
        request('GET', 'Connection: close'),
    )
    const [plain, head, page, last] = headsOf(text)
    assert.deepEqual(plain, [
      'HTTP/1.1 200 OK',
      'Cache-Control: private, no-cache',
      'X-Content-Type-Options: nosniff',
      'Strict-Transport-Security: max-age=31536000',
      'X-Request-Id',
      'Server-Timing: store;dur=0.00;desc="memory"',
      // The first 22 characters of the body's SHA-256 in base64url.
      'ETag: "1xn4OiiAwnQiGd4EzZx9ek"',
      'Content-Type: application/json',
      'Content-Length: 11',
      'Date',
      'Connection: keep-alive',
      'Keep-Alive: timeout=65',
    ])
    assert.deepEqual(head, plain)
    assert.deepEqual(
      page!.filter((line) => !line.startsWith('Access-Control-')),
      plain,
    )
    assert.equal(page!.length, plain!.length + 2)
    assert.deepEqual(
      last!.filter((line) => line !== 'Connection: close'),
      plain!.filter((line) => !/^(Connection|Keep-Alive): /.test(line)),
    )
    assert.equal(text.split(BODY).length - 1, 3)
  })

  it('tells no browser to insist on HTTPS with a certificate that was made here', async (t) => {
    const server = await startTestServer({ store: { getDocument: () => BODY } })
    t.after(() => server.close())
    const path = '/apps/demo/collections/c/x'
    const request = server.written('GET', path)
    const text = await server.raw(
      request +
        server.written('HEAD', path) +
        server.written('GET', path, ['Origin: https://page.example']) +
        server.written('GET', '/nowhere') +
        'NO HTTP\r\n\r\n',
    )
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1])
    assert.deepEqual(statuses, ['200', '200', '200', '404', '400'])
    assert.doesNotMatch(text, /Strict-Transport-Security/i)
  })

  it('is right for letters of more than one byte', async (t) => {
    const server = await startTestServer({ store: { getDocument: () => '{"_id":"x","t":"é€😀"}' } })
    t.after(() => server.close())
    const { text, headers } = await server.send('GET', '/apps/demo/collections/c/x')
    assert.equal(text, '{"_id":"x","t":"é€😀"}')
    assert.equal(headers['content-length'], '27')
  })
})
