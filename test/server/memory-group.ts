import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const MIB = 1024 * 1024
const V1 = '/sys/fs/cgroup/memory'
const V2 = '/sys/fs/cgroup'
const LOOK_MS = 25

/** A bound on memory that the system holds a server to: beyond it, it is killed. */
export interface MemoryGroup {
  /** The file by which a process enters. */
  readonly procs: string
  /** Processes in it that the system has killed. */
  kills(): number
  /** Once no process is in it. */
  remove(): Promise<void>
}

/** A control group of Linux with so much memory and no swap, or undefined where none can be made here. */
export function createMemoryGroup(mib: number): MemoryGroup | undefined {
  const name = `sheaf-test-${process.pid}-${mib}-${Math.random().toString(36).slice(2)}`
  try {
    return existsSync(join(V1, 'memory.limit_in_bytes')) ? groupOfV1(name, mib) : groupOfV2(name, mib)
  } catch {
    return undefined
  }
}

function groupOfV1(name: string, mib: number): MemoryGroup {
  const folder = join(V1, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(mib * MIB))
  const swap = join(folder, 'memory.memsw.limit_in_bytes')
  if (existsSync(swap)) writeFileSync(swap, String(mib * MIB))
  return groupIn(folder, 'memory.oom_control')
}

function groupOfV2(name: string, mib: number): MemoryGroup {
  accessSync(join(V2, 'cgroup.procs'), constants.W_OK)
  writeFileSync(join(V2, 'cgroup.subtree_control'), '+memory')
  const folder = join(V2, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'memory.max'), String(mib * MIB))
  const swap = join(folder, 'memory.swap.max')
  if (existsSync(swap)) writeFileSync(swap, '0')
  return groupIn(folder, 'memory.events')
}

function groupIn(folder: string, events: string): MemoryGroup {
  return {
    procs: join(folder, 'cgroup.procs'),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1]),
    remove: async () => {
      // The system lets go of a process a moment after it has ended.
      while (readFileSync(join(folder, 'cgroup.procs'), 'utf8') !== '') await wait(LOOK_MS)
      rmdirSync(folder)
    },
  }
}

/** Watches the memory of a process that no file stands behind, in MiB; undefined where the system is not Linux. */
export function watchAnonymousMemory(pid: number): () => number | undefined {
  let peak: number | undefined
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      peak = Math.max(peak ?? 0, Number(/RssAnon:\s+(\d+) kB/.exec(status)![1]) / 1024)
    } catch {
      // It has ended, or the system has no such thing.
    }
  }, LOOK_MS).unref()
  return () => {
    clearInterval(timer)
    return peak
  }
}
