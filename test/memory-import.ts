import type { DocumentId } from '../src/domain/document.ts'
import { AppError, atDocument } from '../src/errors.ts'
import type { ImportCommand, ImportCounts, StagedImport } from '../src/storage/import-store.ts'
import { unpackedDocuments } from '../src/storage/packed.ts'
import type { DocumentToSave } from '../src/storage/store.ts'

interface ImportTarget {
  /** The ids that are there. */
  ids(): Iterable<DocumentId>
  save(documents: readonly DocumentToSave[]): Promise<unknown>
}

/** What an import means, in plain code: all of it is done at its end. */
export function memoryImport(command: ImportCommand, target: ImportTarget): StagedImport {
  const documents: DocumentToSave[] = []
  return {
    async add(packed) {
      documents.push(...unpackedDocuments(packed))
    },
    async finish() {
      const { counts, saves } = outcomeOf(command, documents, new Set(target.ids()))
      await target.save(saves)
      return counts
    },
    async discard() {
      documents.length = 0
    },
  }
}

function outcomeOf(
  { onConflict, skipsRefused, onRefused }: ImportCommand,
  documents: readonly DocumentToSave[],
  taken: Set<DocumentId>,
): { counts: ImportCounts; saves: DocumentToSave[] } {
  const counts = { created: 0, replaced: 0, skipped: 0, refused: 0 }
  const saves: DocumentToSave[] = []
  for (const [index, document] of documents.entries()) {
    const { id } = document
    const isTaken = id !== undefined && taken.has(id)
    if (isTaken && onConflict === 'fail') {
      const error = new AppError('document_exists', `there is a document with the _id ${JSON.stringify(id)}`)
      if (!skipsRefused) throw atDocument(index, error)
      onRefused?.(index, error)
      counts.refused++
    } else if (isTaken && onConflict === 'skip') counts.skipped++
    else {
      counts[isTaken ? 'replaced' : 'created']++
      saves.push(document)
    }
    if (id !== undefined) taken.add(id)
  }
  return { counts, saves }
}
