import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import type { Kit } from './kit.ts'
import type { Options } from './options.ts'

const SYNC_SECONDS = 1
const PAGE_BYTES = 4096

/** What a figure depends on beside the program, in one line. */
export async function describeMachine(kit: Kit, options: Options): Promise<string> {
  const [cpu] = cpus()
  const fileSystem = (await kit.run('stat', ['-f', '-c', '%T', kit.root])).trim()
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}`,
    `${distribution()}`,
    `Node.js ${process.versions.node}`,
    `SQLite ${process.versions.sqlite}`,
    `load average at the start ${loadavg()[0]!.toFixed(2)}`,
    `${syncsPerSecond(kit.path('sync'), Math.min(SYNC_SECONDS, options.seconds))} fdatasync/s on ${fileSystem}`,
  ].join(', ')
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown system'
  } catch {
    return 'unknown system'
  }
}

/** How often the disk takes a page that is appended to a file and says that it has it. */
function syncsPerSecond(file: string, seconds: number): number {
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const began = performance.now()
  let count = 0
  for (; performance.now() - began < seconds * 1000; count++) {
    writeSync(descriptor, page)
    fdatasyncSync(descriptor)
  }
  closeSync(descriptor)
  return Math.round(count / seconds)
}
