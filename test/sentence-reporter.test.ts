import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, finished, temporaryFolder } from './cli/run-sheaf.ts'

const REPORTER = fileURLToPath(new URL('./sentence-reporter.ts', import.meta.url))
const FILE = `import { describe, it, test } from 'node:test'
const fails = () => { throw new Error('on purpose') }
describe('a body', () => {
  describe('in pieces', () => {
    it('is read', () => {})
    it('is saved', fails)
  })
  it('is refused', fails)
})
test('a name is a name', fails)
`

test('a test that fails is named by its suites and itself, also in the list at the end', async (t) => {
  const file = join(temporaryFolder(t), 'some.test.mjs')
  writeFileSync(file, FILE)
  const args = ['--test', `--test-reporter=${REPORTER}`, file]
  const { code, stdout } = await finished(spawn(process.execPath, args, { env: cleanEnvironment() }))
  assert.equal(code, 1)
  const [lines = '', failures = ''] = stdout.split('failing tests:')
  const sentences = (text: string): string[] =>
    [...text.matchAll(/[✖✔] (.*) \([\d.]+ms\)/g)].map(([, name]) => name!)
  assert.deepEqual(sentences(lines), [
    'a body in pieces is read',
    'a body in pieces is saved',
    'a body in pieces',
    'a body is refused',
    'a body',
    'a name is a name',
  ])
  assert.deepEqual(sentences(failures), [
    'a body in pieces is saved',
    'a body is refused',
    'a name is a name',
  ])
})
