import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'

export const SHEAF = fileURLToPath(new URL('../../bin/sheaf', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** An empty environment but for a PATH on which the Node.js that runs the tests comes first. */
export function cleanEnvironment(extra: Environment = {}): NodeJS.ProcessEnv {
  return { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, ...extra }
}

/** A real process of `bin/sheaf`, awaited. */
export function runSheaf(args: readonly string[], options: { env?: Environment; cwd?: string } = {}) {
  return finished(
    spawn(SHEAF, args, {
      env: cleanEnvironment(options.env),
      cwd: options.cwd ?? tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** The same with something on its standard input. */
export function feedSheaf(args: readonly string[], input: string | Buffer): Promise<Finished> {
  const child = spawn(SHEAF, args, { env: cleanEnvironment(), cwd: tmpdir(), stdio: 'pipe' })
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return finished(child)
}

export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with a store in it, as a server makes it, without an app or a key. */
export async function storeFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t)
  openDataFolder(folder)
  const accounts = await openAccounts({ dataDir: folder })
  await accounts.close()
  return folder
}

type Run = (args: readonly string[], env: Environment) => Promise<Finished>

/** Runs commands of which it is known whether they have to fail. */
export function expecting(run: Run) {
  /** Exit code 1, nothing on stdout, one line on stderr, which is answered. */
  const failure = async (args: readonly string[], env: Environment = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(args, env)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, args.join(' '))
    assert.match(stderr, /^sheaf: [^\n]+\n$/, args.join(' '))
    return stderr.slice('sheaf: '.length, -1)
  }
  /** Exit code 0 and nothing on stderr; answers stdout. */
  const success = async (args: readonly string[], env: Environment = {}): Promise<string> => {
    const { code, stdout, stderr } = await run(args, env)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '))
    return stdout
  }
  const json = async (args: readonly string[]): Promise<unknown> =>
    JSON.parse(await success([...args, '--json']))
  return { failure, success, json }
}

export const { failure, success, json } = expecting((args, env) => runSheaf(args, { env }))
