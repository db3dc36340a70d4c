import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startServer } from './start-server.ts'

it('a server that may open too few files to serve says how many it needs', async () => {
  await assert.rejects(startServer({ openFiles: 100, env: { SHEAF_READER_THREADS: '3' } }), {
    message: /open 100 files at once, and with this number of threads it needs 141; raise the limit/,
  })
})
