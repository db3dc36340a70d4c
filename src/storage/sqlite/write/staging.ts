import { AppError } from '../../../errors.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { stagingName } from '../files/schema.ts'
import type { ImportTerms } from '../protocol/import-requests.ts'
import { type ImportTally, importTally } from './import-document.ts'
import type { WriteContext } from './write-context.ts'

/**
 * Row ids between the last one of the target and the first one of an import: as many documents can be saved into the
 * target while the import is under way, and still stand before it in natural order, in which they were seen first.
 */
const ROW_ID_GAP = 2 ** 32

/** What it takes to tell imports that are under way from those that are over. */
type ImportsContext = Pick<WriteContext, 'app' | 'connection' | 'imports'>

/** The staging collection of an import that is under way, as a step of it finds it. */
export interface Staging {
  /** Its number. */
  readonly id: number
  readonly collection: StoredCollection
  /** The name of the collection that it is for. */
  readonly name: string
  /** That collection, where there is one. */
  readonly target: StoredCollection | undefined
  /** The row id behind which the documents of the import stand. */
  readonly base: number
  /** The row id up to which documents of the target were copied. */
  copiedTo: number
  /** How many documents of the import were taken, refused ones included. */
  taken: number
  readonly tally: ImportTally
}

/** Where a document of an import is, by its number. */
export function stagedRowId({ base }: Staging, number: number): number {
  return base + 1 + number
}

/** @throws AppError `import_under_way` */
export function beginStaging(context: WriteContext, name: string): number {
  const { app, connection, imports } = context
  const { catalog } = connection
  endAbandoned(context)
  if (connection.row('SELECT 1 FROM imports WHERE name = ?', name) !== undefined)
    throw new AppError(
      'import_under_way',
      'another import into this collection has not ended yet; wait for it',
    )
  // Its own number is not known before.
  const [id] = connection.row<[number]>('INSERT INTO collections (name) VALUES (char(10)) RETURNING id')!
  connection.run('UPDATE collections SET name = ? WHERE id = ?', stagingName(id), id)
  catalog.makeTable(stagingName(id))
  const target = catalog.collection(name)
  const base = (target === undefined ? 0 : catalog.nextRowId(target) - 1) + ROW_ID_GAP
  connection.run('INSERT INTO imports (staging, name, base) VALUES (?, ?, ?)', id, name, base)
  imports.add(keyOf(app, id))
  return id
}

type ImportRow = [
  name: string,
  target: number | null,
  base: number,
  copiedTo: number,
  taken: number,
  created: number,
  replaced: number,
  skipped: number,
  refused: number,
]

/** @throws AppError `import_interrupted` */
export function openStaging(
  context: WriteContext,
  { staging: id, ...terms }: ImportTerms & { readonly staging: number },
): Staging {
  const { app, connection, imports } = context
  const row = connection.row<ImportRow>(
    'SELECT name, target, base, copied_to, taken, created, replaced, skipped, refused FROM imports WHERE staging = ?',
    id,
  )
  const collection = connection.catalog.collection(stagingName(id))
  // What a writer thread before this one has begun may have steps that nobody was told of.
  if (row === undefined || collection === undefined || !imports.has(keyOf(app, id)))
    throw interrupted('the store was interrupted')
  const [name, targetId, base, copiedTo, taken, created, replaced, skipped, refused] = row
  const target = connection.catalog.collection(name)
  if (targetId === null && target !== undefined) watch(connection, id, target)
  if (targetId !== null && target?.id !== targetId) throw interrupted('the collection was dropped')
  const tally: ImportTally = {
    ...importTally(terms),
    counts: { created, replaced, skipped, refused },
    onReplaced: (replacement) => {
      // Where it is one of the import itself, that says enough.
      if (replacement.rowId <= base) noteReplaced(connection, id, replacement)
    },
  }
  return { id, collection, name, target, base, copiedTo, taken, tally }
}

export function saveStaging({ connection }: WriteContext, staging: Staging): void {
  const { id, copiedTo, taken } = staging
  const { created, replaced, skipped, refused } = staging.tally.counts
  connection.run(
    'UPDATE imports SET copied_to = ?, taken = ?, created = ?, replaced = ?, skipped = ?, refused = ? WHERE staging = ?',
    ...[copiedTo, taken, created, replaced, skipped, refused],
    id,
  )
}

/** Lets go of an import that is over, one way or the other; what is left of it is nobody's from here on. */
export function endStaging({ app, connection, imports }: ImportsContext, id: number): void {
  imports.delete(keyOf(app, id))
  connection.run('DELETE FROM imports WHERE staging = ?', id)
}

/** Lets go of the imports that no step will come for: those of a writer thread before this one. */
export function endAbandoned(context: ImportsContext): void {
  const { app, connection, imports } = context
  const rows = connection.prepare('SELECT staging FROM imports').all() as unknown as [number][]
  for (const [id] of rows) if (!imports.has(keyOf(app, id))) endStaging(context, id)
}

/** Notes from here on which documents of the target are changed or deleted, for they may have been copied already. */
function watch(connection: Connection, id: number, { id: target, table }: StoredCollection): void {
  connection.run('UPDATE imports SET target = ? WHERE staging = ?', target, id)
  for (const change of ['UPDATE', 'DELETE'])
    connection.execute(
      `CREATE TRIGGER ${watchName(id, change)} AFTER ${change} ON ${table} ` +
        `BEGIN INSERT OR IGNORE INTO import_changes VALUES (${id}, old.seq); END`,
    )
}

export function unwatch(connection: Connection, id: number): void {
  for (const change of ['UPDATE', 'DELETE'])
    connection.execute(`DROP TRIGGER IF EXISTS ${watchName(id, change)}`)
}

function watchName(id: number, change: string): string {
  return `import_${id}_${change.toLowerCase()}`
}

/** Keeps in mind whose a document is that has come in the place of another. */
export function noteReplaced(
  connection: Connection,
  id: number,
  { rowId, number }: { readonly rowId: number; readonly number: number },
): void {
  connection.run('INSERT OR REPLACE INTO import_replaced VALUES (?, ?, ?)', id, rowId, number)
}

/** The number of the import's document at a row id; undefined where there is a copy of one of the target's. */
export function numberAt(
  connection: Connection,
  { id, base }: Staging,
  rowId: number,
): { readonly number: number; readonly isReplaced: boolean } | undefined {
  const sql = 'SELECT document FROM import_replaced WHERE staging = ? AND row_id = ?'
  const row = connection.row<[number]>(sql, id, rowId)
  if (row !== undefined) return { number: row[0], isReplaced: true }
  return rowId > base ? { number: rowId - base - 1, isReplaced: false } : undefined
}

function keyOf(app: string, id: number): string {
  return `${app}/${id}`
}

function interrupted(reason: string): AppError {
  return new AppError(
    'import_interrupted',
    `${reason} while the import was under way, and nothing of it was saved; begin it again`,
  )
}
