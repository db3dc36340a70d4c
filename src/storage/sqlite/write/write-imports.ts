import { unpackedDocuments } from '../../packed.ts'
import type {
  AddedDocuments,
  AddToImport,
  FinishImport,
  ImportRequest,
  ImportResult,
  WholeImport,
} from '../protocol/import-requests.ts'
import { alignIndexes } from './align-indexes.ts'
import { type ImportTally, importDocument, importTally } from './import-document.ts'
import { beginStaging, endStaging, openStaging, saveStaging, stagedRowId } from './staging.ts'
import { copyRows, syncChanges } from './sync-staging.ts'
import { takeOver } from './take-over.ts'
import { checkDeadline, type WriteContext } from './write-context.ts'

/** Carries out one step of an import. */
export function performImport(context: WriteContext, request: ImportRequest): unknown {
  const until = performance.now() + context.bounds.stepMs
  switch (request.step) {
    case 'whole':
      return importWhole(context, request)
    case 'begin':
      return beginStaging(context, request.collection)
    case 'add':
      return addDocuments(context, request, until)
    case 'finish':
      return finish(context, request, until)
    case 'discard':
      return endStaging(context, request.staging)
    default:
      return request satisfies never
  }
}

function importWhole(context: WriteContext, request: WholeImport): ImportResult {
  const tally = importTally(request)
  const documents = request.documents.flatMap(unpackedDocuments)
  if (documents.length === 0) return tally
  // Where it has to be made, at least the first document can be saved.
  const collection = context.connection.catalog.collectionToWrite(request.collection)
  for (const [number, document] of documents.entries()) {
    checkDeadline(context.deadline)
    importDocument(context, collection, tally, { ...document, number })
  }
  return tally
}

function addDocuments(context: WriteContext, request: AddToImport, until: number): AddedDocuments {
  const staging = openStaging(context, request)
  // An index that is made while there is nothing in it has nothing to be built.
  if (staging.taken === 0 && staging.copiedTo === 0) alignIndexes(context, staging, until)
  let taken = 0
  if (copyRows(context, staging, until)) {
    const documents = unpackedDocuments(request.documents)
    while (taken < documents.length && (taken === 0 || performance.now() < until)) {
      const number = staging.taken++
      const document = { ...documents[taken++]!, number, rowId: stagedRowId(staging, number) }
      importDocument(context, staging.collection, staging.tally, document)
    }
  }
  saveStaging(context, staging)
  return { taken, refusals: staging.tally.refusals }
}

function finish(context: WriteContext, request: FinishImport, until: number): ImportResult {
  const staging = openStaging(context, request)
  const isDone =
    copyRows(context, staging, until) &&
    syncChanges(context, staging, until) &&
    alignIndexes(context, staging, until)
  const { counts, refusals }: ImportTally = staging.tally
  if (!isDone) {
    saveStaging(context, staging)
    return { refusals }
  }
  takeOver(context, staging)
  return { counts, refusals }
}
