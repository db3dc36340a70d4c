import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../certificates/write-file-atomically.ts'

/** How many requests the accounts have had on one day. */
export interface DayRequests {
  /** In days since the Unix epoch, by UTC. */
  readonly day: number
  /** By the account's id. */
  readonly requests: ReadonlyMap<string, number>
}

const NOTHING: DayRequests = { day: 0, requests: new Map() }

/** The requests of the day in `<data>/requests.json`, for a restart to go on with. It may be lost: then the day begins anew. */
export class QuotaRequestsFile {
  private readonly path: string

  constructor(dataDir: string) {
    this.path = join(dataDir, 'requests.json')
  }

  load(): DayRequests {
    try {
      const { day, requests } = JSON.parse(readFileSync(this.path, 'utf8'))
      const whole = Object.entries<unknown>(requests).filter(([, count]) => isCount(count))
      return isCount(day) ? { day, requests: new Map(whole as [string, number][]) } : NOTHING
    } catch {
      // There is none yet, or it is damaged.
      return NOTHING
    }
  }

  save({ day, requests }: DayRequests): Promise<void> {
    return replaceFile(this.path, JSON.stringify({ day, requests: Object.fromEntries(requests) }))
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
