/**
 * Fills the compile cache that `bin/sheaf` uses, so that already the first start finds every module stripped of its
 * types: half the time, and 50 MB less. It runs a server on a throw-away folder until it listens, for this touches
 * every module in every thread, whichever there are. npm runs this after an install; nothing depends on it, so
 * nothing that goes wrong here is an error.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const GIVE_UP_MS = 10_000

// Not the whole environment: the settings in it are meant for a real server.
const { PATH, NODE_COMPILE_CACHE } = process.env
const env = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
try {
  const data = mkdtempSync(join(tmpdir(), 'sheaf-'))
  const server = spawn(
    fileURLToPath(new URL('sheaf', import.meta.url)),
    ['serve', '--data', data, '--port', '0'],
    {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIVE_UP_MS,
      killSignal: 'SIGKILL',
    },
  )
  server.stdout.once('data', () => server.kill('SIGTERM'))
  server.on('error', () => {})
  server.once('close', () => rmSync(data, { recursive: true, force: true }))
} catch {}
