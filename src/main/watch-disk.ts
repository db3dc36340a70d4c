import type { AlertBoard } from '../alerts/alert-board.ts'
import type { AlertCondition } from '../domain/alerts.ts'
import { type DiskFacts, type DiskLevel, diskLevel } from '../domain/disk-level.ts'
import type { Limits } from '../domain/limits.ts'
import type { Log } from '../http/log/log.ts'
import { measureDisk } from '../storage/sqlite/files/measure-storage.ts'

const LOOK_MS = 60 * 1000
const MIB = 1024 ** 2
const ORDER: readonly DiskLevel[] = ['enough', 'low', 'critical']
/** By how much more room there has to be before less is said to be needed: what a disk has moves up and down all the time. */
const BETTER = 1.1

interface Watched {
  readonly dataDir: string
  readonly limits: Pick<Limits, 'bodyBytes'>
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly alerts: Pick<AlertBoard, 'observe'>
  readonly measure?: (folder: string) => Promise<DiskFacts>
}

/**
 * Looks at the start and every minute how much room the disk has, and writes a line into the log where that has become a
 * matter for the operator, or is none again.
 * @returns ends it
 */
export function watchDisk({ dataDir, limits, log, alerts, measure = measureDisk }: Watched): () => void {
  let told: DiskLevel = 'enough'
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const disk = await measure(dataDir)
      const level = changedLevel(told, disk, limits)
      if (level !== told) log[level === 'enough' ? 'info' : 'warn'](lineOf(level, disk))
      told = level
      alerts.observe('disk', conditionsOf(level, disk))
    } catch {
      // A data folder that can't be looked at fails every write, which tells of it.
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return () => clearInterval(timer)
}

function changedLevel(told: DiskLevel, disk: DiskFacts, limits: Watched['limits']): DiskLevel {
  const level = diskLevel(disk, limits)
  if (ORDER.indexOf(level) >= ORDER.indexOf(told)) return level
  return diskLevel({ ...disk, freeBytes: disk.freeBytes / BETTER }, limits)
}

/** That it is about to be full comes beside that it is nearly so: of what is worse operators are told once more. */
function conditionsOf(level: DiskLevel, disk: DiskFacts): readonly AlertCondition[] {
  if (level === 'enough') return []
  const low = { subject: 'nearly full', message: lineOf('low', disk) }
  return level === 'low' ? [low] : [low, { subject: 'about to be full', message: lineOf('critical', disk) }]
}

function lineOf(level: DiskLevel, { freeBytes, diskBytes }: DiskFacts): string {
  const room = `${Math.floor(freeBytes / MIB)} of ${Math.floor(diskBytes / MIB)} MiB are free`
  if (level === 'enough') return `the disk of the data folder has room enough again: ${room}`
  const how = level === 'low' ? 'is nearly full' : 'is about to be full, and then every write fails'
  return `the disk of the data folder ${how}: ${room}`
}
