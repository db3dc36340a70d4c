import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { Backlog, type Waiting } from './backlog.ts'

const MIB = 1024 * 1024

function request({ headers = 0, pieces = [] as readonly number[] } = {}): IncomingMessage {
  return {
    url: '/',
    rawHeaders: Array.from({ length: 2 * headers }, () => 'a'),
    readableBuffer: pieces,
    readableLength: pieces.reduce((sum, length) => sum + length, 0),
  } as unknown as IncomingMessage
}

function connection(): Waiting {
  return { bytes: 0, newest: undefined }
}

/** Adds requests to a connection until it has no room; answers how many there are. */
function fill(backlog: Backlog, waiting: Waiting, next = request): number {
  let count = 0
  while (backlog.add(waiting, next())) count++
  return count
}

describe('the backlog', () => {
  it('has room for all that one read can bring, where nobody else wants any', () => {
    const count = fill(new Backlog(), connection())
    assert.ok(count > (64 * 1024) / 'GET / HTTP/1.1\r\n\r\n'.length, `${count} requests`)
  })

  it('is shared by all, and nobody has nothing', () => {
    const backlog = new Backlog()
    const connections = Array.from({ length: 2000 }, connection)
    for (const each of connections) fill(backlog, each)
    const all = connections.reduce((sum, { bytes }) => sum + bytes, 0)
    assert.ok(all < 200 * MIB, `${all} bytes`)
    assert.ok(fill(backlog, connection()) >= 10)
    for (const each of connections) backlog.clear(each)
    assert.ok(fill(backlog, connection()) > 1000)
  })

  it('counts headers, and bodies in small pieces, by what they take and not by their length', () => {
    const many = fill(new Backlog(), connection())
    assert.ok(fill(new Backlog(), connection(), () => request({ headers: 200 })) < many / 10)
    const pieces = Array.from({ length: 1000 }, () => 1)
    assert.ok(fill(new Backlog(), connection(), () => request({ pieces })) < many / 100)
  })

  it('counts a body once, as far as it has come', () => {
    const backlog = new Backlog()
    const waiting = connection()
    backlog.add(waiting, request({ pieces: [1000] }))
    const before = waiting.bytes
    backlog.addBody(waiting)
    assert.ok(waiting.bytes >= before + 1000)
    const { bytes } = waiting
    backlog.addBody(waiting)
    assert.equal(waiting.bytes, bytes)
  })
})
