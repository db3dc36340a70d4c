import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
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

/** Writes until the client's not reading is felt. */
async function fill(far: Socket, piece: Buffer): Promise<void> {
  while (far.writableLength === 0) {
    far.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

for (const [isEnded, piece] of [
  [false, PIECE],
  [true, PIECE],
  [false, Buffer.alloc(50 * PIECE.length)],
] as const)
  it(`hangs up on who reads nothing of ${piece.length} bytes${isEnded ? ', after the end of our side, too' : ''}`, async () => {
    const { near, far } = await connected()
    await fill(far, piece)
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

it('leaves who takes a long answer slowly, although nothing else is written meanwhile', async () => {
  const { near, far } = await connected()
  await fill(far, Buffer.alloc(400 * PIECE.length))
  unread.add(far)
  let read = 0
  near.on('data', (bytes) => {
    read += bytes.length
    near.pause()
  })
  for (let times = 0; times < 20; times++) {
    // More than the system waits for, until it takes more.
    for (const until = read + 8 * PIECE.length; read < until && !near.destroyed; ) {
      near.resume()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await new Promise((resolve) => setTimeout(resolve, STALLED_MS / 8))
  }
  assert.equal(far.destroyed, false)
  near.destroy()
  far.destroy()
})
