import { setTimeout as wait } from 'node:timers/promises'
import type { ImportRequest } from '../protocol/import-requests.ts'

/** The calls that imports need of the writer. */
export interface ImportWriter {
  call<Result>(request: ImportRequest): Promise<Result>
}

/** After each step, in which others write. */
const PAUSE_MS = 20

/** Has the writer take away what imports have left behind in an app, step by step. */
export async function sweepImports(writer: ImportWriter, app: string): Promise<void> {
  try {
    while (await writer.call<boolean>({ kind: 'import', step: 'sweep', app }))
      await wait(PAUSE_MS, undefined, { ref: false })
  } catch {
    // The store is closing, the disk is full, or the app was deleted: what is left is for the next start, or import.
  }
}
