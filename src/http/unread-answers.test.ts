import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import { UNREAD_BYTES } from './reply.ts'
import { UnreadAnswers } from './unread-answers.ts'

const STALLED_MS = 200
const PIECE = Buffer.alloc(100_000)

const unread = new UnreadAnswers(STALLED_MS)
const server = createServer({ allowHalfOpen: true })
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  unread.close()
  server.close()
})

/** Both ends of a connection. */
async function connected(): Promise<{ near: Socket; far: Socket }> {
  const accepted = once(server, 'connection')
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [far] = (await accepted) as [Socket]
  return { near, far: far.on('error', () => {}).resume() }
}

/** Writes until the client's not reading is felt, and no more. */
async function fill(far: Socket): Promise<void> {
  while (far.writableLength === 0) {
    far.write(PIECE)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.ok(far.writableLength <= UNREAD_BYTES)
}

for (const isEnded of [false, true])
  it(`hangs up on who reads nothing${isEnded ? ', after the end of our side, too' : ''}`, async () => {
    const { near, far } = await connected()
    await fill(far)
    unread.add(far)
    if (isEnded) far.end()
    await once(far, 'close')
    near.destroy()
  })

it('leaves who reads, and who has nothing to read', async () => {
  const { near, far } = await connected()
  unread.add(far)
  near.resume()
  for (let times = 0; times < 8; times++) {
    far.write(PIECE)
    await new Promise((resolve) => setTimeout(resolve, STALLED_MS / 4))
  }
  await new Promise((resolve) => setTimeout(resolve, 2 * STALLED_MS))
  assert.equal(far.destroyed, false)
  near.destroy()
  far.destroy()
})
