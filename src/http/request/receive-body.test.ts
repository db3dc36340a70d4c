import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, it } from 'node:test'
import { SharedCount } from '../../shared-memory/count.ts'
import { MemoryBudget, unboundedMemory } from '../../shared-memory/memory-budget.ts'
import { BodyMemoryLimit } from './body-memory-limit.ts'
import { discardBody } from './receive-body.ts'
import { attachState, type RequestState } from './request-state.ts'

const held = new SharedCount()
const bodyMemory = new BodyMemoryLimit({
  ...{ heldBodyBytes: 1000, bodyBytes: 1000, bulkDocuments: 1, bytesPerSecond: 1, rateCheckMs: 60_000 },
  held,
  memory: new MemoryBudget(unboundedMemory()),
})
const closes = new EventEmitter()
const server = createServer((request: IncomingMessage, response) => {
  attachState(request, { bodyMemory } as RequestState)
  response.end('answered', () => {
    discardBody(request)
    closes.emit('watching')
    request.socket.on('close', () => closes.emit('gone'))
  })
})
after(() => {
  bodyMemory.close()
  server.close()
})

it('keeps nothing of a request whose connection ends before its body', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const end of ['end', 'destroy'] as const) {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    const watching = new Promise((resolve) => closes.once('watching', resolve))
    const gone = new Promise((resolve) => closes.once('gone', resolve))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx')
    await watching
    assert.equal(bodyMemory.watched, 1)
    socket[end]()
    await gone
    assert.equal(bodyMemory.watched, 0)
  }
})
