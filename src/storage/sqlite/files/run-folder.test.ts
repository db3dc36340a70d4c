import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { serverSocket, socketPath } from './run-folder.ts'

test('the path of a socket is as short as the system wants it, from the current folder where need be', () => {
  assert.equal(serverSocket('/srv/sheaf'), '/srv/sheaf/run/server.sock')
  assert.equal(socketPath('/srv/sheaf/run/server.sock'), '/srv/sheaf/run/server.sock')
  const near = join(process.cwd(), 'é'.repeat(40), 'server.sock')
  const long = join('/', 'é'.repeat(60), 'server.sock')
  assert.equal(socketPath(long), undefined)
  assert.ok(Buffer.byteLength(socketPath(near)!) <= 107)
})
