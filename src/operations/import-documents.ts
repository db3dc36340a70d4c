import type { OnConflict } from '../domain/on-conflict.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { ImportTally } from '../import/import-tally.ts'
import type { FilePieces } from '../import/import-threads.ts'
import { type ImportTexts, readImportOptions, readOnConflict } from '../import/read-import-options.ts'
import type { RecordBatch, RecordFault } from '../import/record-batches.ts'
import type { ImportCounts } from '../storage/import-store.ts'
import { appNotFound, authoriseWrite, requirePermission, type WritableCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export interface ImportDocumentsInput extends CollectionInput, ImportTexts {
  readonly format: string
  /** What becomes of a document whose `_id` is there already: `fail`, `skip` or `replace`. */
  readonly onConflict?: string | undefined
  /** Whether what can't be imported is told of and left out. */
  readonly skipsBad: boolean
  /** Whether the file is only read, and nothing saved. */
  readonly isCheck: boolean
  readonly file: FilePieces
  /** Whether a command on the data folder sends it, which has as many places as there are. */
  readonly isCommand: boolean
  /** Whether nobody waits for the answer any more. */
  readonly isCancelled: () => boolean
  /** Who sends it now, for a file may take hours. @throws AppError where that is nobody who may reach the app */
  readonly reauthorise: () => Promise<Principal>
}

/** Between two looks at whether an import is still allowed. */
const REAUTHORISE_MS = 5_000

export interface ImportResult {
  readonly created: number
  readonly replaced: number
  /** Because their `_id` was there already. */
  readonly skipped: number
  /** What can't be imported. */
  readonly bad: number
  /** All that the file has, also what is bad. */
  readonly documents: number
  /** Of each that is bad, by line. */
  readonly errors: readonly RecordFault[]
}

/**
 * Saves the documents of a file, all of them or none; those that are bad are left out where that is asked for. By the rules
 * of a save, but placeholders are data here. Without `_id` a document gets one.
 * Whether it is still allowed is looked at every few seconds, and before anything of it can be seen.
 * @throws AppError as `authoriseWrite` and `readImportOptions` do; of the file, `invalid_csv`, `too_many_bad_lines`, and what a
 * save refuses, with the line in the message; `document_exists`, `unique_violation`, `import_under_way`; `rate_limited`, `overloaded`, `quota_exceeded`
 */
export async function importDocuments(
  context: OperationContext,
  principal: Principal,
  input: ImportDocumentsInput,
): Promise<ImportResult> {
  const { documentBytes, ...address } = authoriseImport(context, principal, input)
  const { skipsBad, isCheck } = input
  const { format, delimiter, isExtended, types } = readImportOptions(input)
  const options = { skipsBad, isCheck, isExtended, types, delimiter, documentBytes, format: format! }
  const account = input.isCommand ? undefined : principal.name
  const read = context.imports.read(input.file, options, account)
  // Nothing is read of a file that there is no room for.
  const takeRoom = (bytes: number) => context.withRoom(principal, bytes, async () => undefined)
  if (!isCheck) await takeRoom(1)
  const batches = whileAllowed(read, context.now, async () => {
    const { app } = authoriseImport(context, await input.reauthorise(), input)
    // Another one may be called so by now.
    if (app !== address.app) throw appNotFound()
  })
  const fitting = isCheck ? batches : withRoom(batches, takeRoom)
  const tally = new ImportTally()
  const { isCancelled } = input
  const counts = isCheck
    ? await check(fitting, tally)
    : await save(context, { ...address, skipsBad, isCancelled, batches: fitting, tally })
  const bad = tally.faults.length
  const { created, replaced, skipped } = counts
  return { created, replaced, skipped, bad, documents: tally.records, errors: tally.faults }
}

interface ImportTarget extends WritableCollection {
  readonly onConflict: OnConflict
}

function authoriseImport(
  context: OperationContext,
  principal: Principal,
  input: ImportDocumentsInput,
): ImportTarget {
  const address = authoriseWrite(context, principal, input, 'create')
  const onConflict = readOnConflict(input.onConflict)
  if (onConflict === 'replace') requirePermission(principal, ['update'])
  return { ...address, onConflict }
}

/** The batches; `requireAllowed` is asked between them every few seconds, and behind the last one. */
async function* whileAllowed(
  batches: AsyncIterable<RecordBatch>,
  now: () => number,
  requireAllowed: () => Promise<void>,
): AsyncGenerator<RecordBatch> {
  let since = now()
  for await (const batch of batches) {
    if (now() - since >= REAUTHORISE_MS) {
      await requireAllowed()
      since = now()
    }
    yield batch
  }
  await requireAllowed()
}

/** The batches, each of which takes its room first. */
async function* withRoom(
  batches: AsyncIterable<RecordBatch>,
  takeRoom: (bytes: number) => Promise<unknown>,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    await takeRoom(batch.documents.texts.length)
    yield batch
  }
}

async function check(batches: AsyncIterable<RecordBatch>, tally: ImportTally): Promise<ImportCounts> {
  for await (const batch of batches) tally.note(batch)
  return { created: 0, replaced: 0, skipped: 0, refused: 0 }
}

interface SavedBatches
  extends Omit<ImportTarget, 'documentBytes'>,
    Pick<ImportDocumentsInput, 'skipsBad' | 'isCancelled'> {
  readonly batches: AsyncIterable<RecordBatch>
  readonly tally: ImportTally
}

async function save(
  { store }: OperationContext,
  { app, collection, onConflict, skipsBad, isCancelled, batches, tally }: SavedBatches,
): Promise<ImportCounts> {
  const onRefused = (document: number, error: AppError): void => tally.refuse(document, error)
  const staged = await store.beginImport({ app, collection, onConflict, skipsRefused: skipsBad, onRefused })
  try {
    for await (const batch of batches) {
      tally.note(batch)
      if (batch.count > 0) await staged.add(batch.documents)
    }
    if (isCancelled()) throw new AppError('deadline_exceeded', 'nobody waits for the answer any more')
    return await staged.finish()
  } catch (error) {
    await staged.discard()
    throw tally.named(error)
  }
}
