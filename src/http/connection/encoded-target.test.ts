import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodedTarget } from './encoded-target.ts'

const BEHIND = ' HTTP/1.1\r\nHost: x\r\n\r\n'

/** What is told of a packet whose parser stopped at its first byte outside ASCII, or at the last of the packet. */
function told(packet: string | Buffer): string | undefined {
  const rawPacket = Buffer.from(packet as string)
  const at = rawPacket.findIndex((byte) => byte > 0x7f)
  return encodedTarget({ rawPacket, bytesParsed: at < 0 ? rawPacket.length - 1 : at })
}

test('a path or a parameter outside ASCII is given encoded, and nothing of the rest', () => {
  const C = '/apps/demo/collections'
  assert.equal(told(`GET ${C}/café${BEHIND}`), `${C}/caf%C3%A9`)
  assert.equal(told(`GET ${C}/Ω/😀?l=1&apiKey=shf_x${BEHIND}`), `${C}/%CE%A9/%F0%9F%98%80`)
  assert.equal(told(`GET ${C}/c?l=1&q={"a":"é%20"}&key=x${BEHIND}`), 'q={"a":"%C3%A9%20"}')
  assert.equal(told(`PUT /é?s=ü&f=ä${BEHIND}`), '/%C3%A9?s=%C3%BC&f=%C3%A4')
  assert.equal(told(`GET / HTTP/1.1\r\nHost: x\r\nX-Secret: y\r\n\r\nGET /é${BEHIND}`), '/%C3%A9')
})

test('nothing is given where it is not certain, or where a credential may be', () => {
  for (const packet of [
    '',
    'GET /é',
    `é${BEHIND}`,
    `apps/é${BEHIND}`,
    `GET https://user:pass@é/x${BEHIND}`,
    `GET /?apiKey=é${BEHIND}`,
    `GET /?JWTTOKEN=é${BEHIND}`,
    `POST /create-token/é${BEHIND}`,
    `POST /Create-Token/a?x=é${BEHIND}`,
    Buffer.concat([Buffer.from('GET /'), Buffer.of(0xe9), Buffer.from(BEHIND)]),
    Buffer.concat([Buffer.from('GET /'), Buffer.of(0xc3, 0xa9, 0xed, 0xa0, 0x80), Buffer.from(BEHIND)]),
  ])
    assert.equal(told(packet), undefined, String(packet))
  assert.equal(encodedTarget({}), undefined)
})

test('what is given has a bound', () => {
  const given = told(`GET /${'é'.repeat(30_000)}${BEHIND}`)!
  assert.equal(given.length, 513)
  assert.match(given, /^\/(?:%C3%A9)+.*…$/)
})
