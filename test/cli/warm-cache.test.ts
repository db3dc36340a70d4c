import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnvironment, type Environment, finished, SHEAF, temporaryFolder } from './run-sheaf.ts'

const SCRIPT = join(dirname(SHEAF), 'warm-cache.js')

function warm(t: TestContext, extra: Environment = {}) {
  const folder = temporaryFolder(t)
  const [cache, temporary] = [join(folder, 'cache'), join(folder, 'tmp')]
  mkdirSync(temporary)
  const env = cleanEnvironment({ NODE_COMPILE_CACHE: cache, TMPDIR: temporary, ...extra })
  const done = finished(spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  return done.then((result) => ({ ...result, cache, temporary }))
}

const QUIET = { code: 0, stdout: '', stderr: '' }

test('an install is not disturbed where no server can be started or no folder be made', async (t) => {
  const { cache, temporary, ...result } = await warm(t, { PATH: '' })
  assert.deepEqual(result, QUIET)
  assert.deepEqual(readdirSync(temporary), [])
  const { code, stdout, stderr } = await warm(t, { TMPDIR: '/nowhere/at/all' })
  assert.deepEqual({ code, stdout, stderr }, QUIET)
})

test('an install leaves a filled cache and nothing else, whatever is set for the real server', async (t) => {
  const { cache, temporary, ...result } = await warm(t, { SHEAF_PORT: 'x', SHEAF_DATA: '/nowhere/at/all' })
  assert.deepEqual(result, QUIET)
  assert.deepEqual(readdirSync(temporary), [])
  const [version = ''] = readdirSync(cache)
  const files = readdirSync(join(cache, version))
  assert.ok(files.length > 50, `only ${files.length} modules are cached`)
})
