import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { parseJson } from '../../src/json/exact.ts'
import { stringify } from '../../src/json/stringify.ts'
import { cleanEnvironment, finished } from '../cli/run-sheaf.ts'
import { type Example, ROOT } from './page.ts'

/** What the pages write in place of an address and a key. */
const SHOWN_ADDRESS = 'https://localhost:8443'
const SHOWN_KEY = /shf_the_key\b/g
const SETUP = /^(?:export .*\n)+$/

/** A clone of its own with a server on it, in which the examples of a page are run as a reader would run them. */
export class Clone {
  /** What the first start printed. */
  greeting = ''
  readonly folder: string
  private readonly server: ChildProcess
  private setup = ''
  private agent: Agent | undefined

  private constructor(folder: string) {
    this.folder = folder
    const args = ['serve', '--port', '0']
    this.server = spawn('bin/sheaf', args, { cwd: folder, env: cleanEnvironment(), stdio: 'pipe' })
  }

  /** Everything of the real clone by links, but for a data folder of its own. */
  static async start(): Promise<Clone> {
    const { error } = spawnSync('curl', ['--version'])
    if (error) throw new Error('the examples of the documentation need curl; install it', { cause: error })
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sheaf-clone-')))
    for (const entry of readdirSync(ROOT))
      if (entry !== 'data' && !entry.startsWith('.')) symlinkSync(join(ROOT, entry), join(folder, entry))
    const clone = new Clone(folder)
    try {
      await clone.started()
      return clone
    } catch (error) {
      await clone.close()
      throw error
    }
  }

  get address(): string {
    return /https:\S+/.exec(this.greeting)![0]
  }

  get key(): string {
    return /shf_[0-9a-z]+/.exec(this.greeting)![0]
  }

  /** Runs one example and compares what it prints with what the page shows; JSON as JSON, digit for digit. */
  async check({ commands, answer }: Example): Promise<void> {
    if (SETUP.test(commands)) this.setup = commands
    const { code, stdout, stderr } = await this.run(`${this.setup}${commands}`)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stderr)
    const shown = answer?.text ?? ''
    if (answer?.language === 'json') assert.equal(compact(stdout), compact(shown))
    else assert.equal(this.asShown(stdout).trimEnd(), shown.trimEnd())
  }

  /** The server listens on another port than the pages show. */
  private asShown(printed: string): string {
    return printed.replaceAll(`localhost:${new URL(this.address).port}`, 'localhost:8443')
  }

  /** Sends one request to the server, by the key of its first start or another; answers its status and text. */
  send(
    method: string,
    path: string,
    { body, key = this.key }: { readonly body?: string; readonly key?: string } = {},
  ): Promise<{ status: number; text: string }> {
    this.agent ??= new Agent({ keepAlive: true, ca: readFileSync(join(this.folder, 'data/tls/cert.pem')) })
    const options = { method, agent: this.agent, headers: { 'X-Service-API-Key': key } }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.address}${path}`, options, async (answer) => {
        resolve({ status: answer.statusCode!, text: (await answer.toArray()).join('') })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  /** What lies in the folder by now, and git would take for something to add. */
  untracked(): string[] {
    const made = readdirSync(this.folder).filter(
      (name) => !lstatSync(join(this.folder, name)).isSymbolicLink(),
    )
    const git = (...args: string[]) => spawnSync('git', args, { cwd: this.folder, encoding: 'utf8' })
    assert.equal(git('init', '--quiet').status, 0)
    copyFileSync(join(ROOT, '.gitignore'), join(this.folder, '.gitignore'))
    const ignored = git('check-ignore', ...made).stdout.split('\n')
    return made.filter((name) => !ignored.includes(name))
  }

  /** Stops the server and removes the folder. */
  async close(): Promise<void> {
    this.agent?.destroy()
    // False where it has ended by itself.
    if (this.server.kill('SIGTERM')) await once(this.server, 'exit')
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async started(): Promise<void> {
    let errors = ''
    this.server.stderr!.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    const output = this.server.stdout!.setEncoding('utf8')
    for await (const text of output.iterator({ destroyOnReturn: false })) {
      this.greeting += text
      if (/Save a first document:\n.*\n/.test(this.greeting)) return
    }
    throw new Error(`the server did not start: ${errors}`)
  }

  private run(script: string) {
    const real = script.replaceAll(SHOWN_ADDRESS, this.address).replaceAll(SHOWN_KEY, this.key)
    const options = { cwd: this.folder, env: cleanEnvironment(), stdio: 'pipe' } as const
    return finished(spawn('sh', ['-euc', real], options))
  }
}

function compact(json: string): string {
  return stringify(parseJson(json, DEFAULT_LIMITS))
}
