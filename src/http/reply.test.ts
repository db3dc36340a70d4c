import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it } from 'node:test'
import type { BodyBudget } from './body-budget.ts'
import { sendReply } from './reply.ts'
import { attachTrace } from './request-trace.ts'

async function* failing(): AsyncGenerator<string> {
  yield ',2'
  throw new Error('broken')
}

it('an answer that breaks off behind one that is not out yet ends the connection after that', async () => {
  const responses: ServerResponse[] = []
  const server = createServer(async (request, response) => {
    responses.push(response)
    if (responses.length === 1) return
    const budget = {} as BodyBudget
    const trace = { id: '', startedAt: 0, answeredBytes: 0, heldBytes: 0, budget }
    attachTrace(request, { ...trace, isLast: false, isStrict: false })
    const reply = { status: 200, body: '[1', rest: failing() }
    await assert.rejects(
      async () => sendReply(response, reply, { close: false, stalledAnswerMs: 60_000, lingerMs: 2000 }),
      /broken/,
    )
    responses[0]!.end('first')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2))
  await once(socket, 'close')
  assert.match(text, /first/)
  assert.doesNotMatch(text, /\[1/)
  server.close()
})
