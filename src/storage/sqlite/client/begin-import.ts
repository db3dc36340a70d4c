import type { ImportCommand, StagedImport } from '../../import-store.ts'
import type { PackedDocuments } from '../../packed.ts'
import { errorOf } from '../protocol/failures.ts'
import type { ImportRequest, ImportResult } from '../protocol/import-requests.ts'

/** The calls that this needs of the writer. */
interface ImportWriter {
  call<Result>(request: ImportRequest): Promise<Result>
}

/** An import as the thread that asks for it sees it. */
export function beginImport(writer: ImportWriter, command: ImportCommand): StagedImport {
  const { app, collection, onConflict, skipsRefused, onRefused } = command
  let held: PackedDocuments[] = []
  return {
    async add(documents) {
      held.push(documents)
    },
    async finish() {
      const request = { kind: 'import', app, collection, onConflict, skipsRefused, documents: held } as const
      const { counts, refusals } = await writer.call<ImportResult>(request)
      for (const [document, failure] of refusals) onRefused?.(document, errorOf(failure))
      return counts
    },
    async discard() {
      held = []
    },
  }
}
