import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Skipped } from '../contender.ts'
import type { Options } from '../options.ts'

/** Building PocketBase compiles SQLite as Go; on two cores that takes a minute. */
const INSTALL_MS = 600_000
const SHOWN_CHARACTERS = 300

/** What the peers are made of: under the user's cache, kept between runs, never in the repository. */
export class PeerCache {
  private readonly folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sheaf-bench')
  private readonly mode: Options['peers']
  private readonly log: (line: string) => void

  constructor(mode: Options['peers'], log: (line: string) => void) {
    this.mode = mode
    this.log = log
  }

  /** Packages of npm by name and exact version, in a folder of their own. @throws Skipped */
  npm(name: string, packages: readonly string[]): Promise<string> {
    return this.entry([name, ...packages].join('+').replaceAll('/', '_'), packages.join(', '), (folder) =>
      execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]),
    )
  }

  /** A program of Go, built from a folder of the repository. @throws Skipped */
  async go(name: string, source: URL): Promise<string> {
    const folder = await this.entry(name, `${name}, built by Go`, (folder) =>
      execute('go', ['build', '-C', source.pathname, '-trimpath', '-o', join(folder, 'program'), '.']),
    )
    return join(folder, 'program')
  }

  private async entry(key: string, what: string, make: (folder: string) => Promise<void>): Promise<string> {
    const folder = join(this.folder, key)
    if (existsSync(folder)) return folder
    if (this.mode === 'cached') throw new Skipped(`${what} is not in the cache`)
    this.log(`  installing ${what} into ${folder}`)
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    try {
      await make(unfinished)
      renameSync(unfinished, folder)
    } catch (error) {
      throw new Skipped(`${what} could not be installed: ${shortly(error)}`)
    } finally {
      rmSync(unfinished, { recursive: true, force: true })
    }
    return folder
  }
}

async function execute(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: INSTALL_MS })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors}`)
}

function shortly(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHOWN_CHARACTERS)
}
