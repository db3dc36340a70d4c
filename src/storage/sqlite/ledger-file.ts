import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LedgerSnapshot, LedgerStore } from '../read-ledger.ts'

/** Of the content; another one is read as empty. */
const VERSION = 2
const EMPTY: LedgerSnapshot = Object.freeze({
  savedAt: 0,
  shapes: Object.freeze([]),
  uses: Object.freeze([]),
})

/** The ledger in `<data>/shapes.json`. It may be lost at any time: then the watching begins anew. */
export class LedgerFile implements LedgerStore {
  private readonly path: string

  constructor({ dataDir }: { dataDir: string }) {
    this.path = join(dataDir, 'shapes.json')
  }

  load(): LedgerSnapshot {
    try {
      const { version, savedAt, shapes, uses } = JSON.parse(
        readFileSync(this.path, 'utf8'),
      ) as LedgerSnapshot & {
        version: number
      }
      return version === VERSION && Array.isArray(shapes) && Array.isArray(uses)
        ? { savedAt, shapes, uses }
        : EMPTY
    } catch {
      // There is none yet, or a power cut left a part of it.
      return EMPTY
    }
  }

  async save(snapshot: LedgerSnapshot): Promise<void> {
    const temporary = `${this.path}.new`
    await rm(temporary, { force: true })
    await writeFile(temporary, JSON.stringify({ version: VERSION, ...snapshot }), { mode: 0o600, flag: 'wx' })
    await rename(temporary, this.path)
  }
}
