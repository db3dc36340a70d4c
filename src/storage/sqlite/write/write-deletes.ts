import { requireCount, requirePrecondition } from '../../../domain/precondition.ts'
import type { CollectionAddress, DeleteOneCommand } from '../../store.ts'
import { isEveryDocument } from '../compile/compile-filter.ts'
import type { DeleteManyRequest, SearchRequired } from '../protocol/requests.ts'
import { selectWriteTargets } from './select-write-targets.ts'
import type { WriteContext } from './write-context.ts'
import { documentById, removeById, removeEvery, removeRowIds } from './write-documents.ts'

export function deleteOne(context: WriteContext, command: DeleteOneCommand): string | undefined {
  const collection = context.connection.catalog.collection(command.collection)
  if (collection === undefined) return undefined
  for (const id of command.ids) {
    if (command.precondition !== undefined) {
      const found = documentById(context, collection, id)
      if (found === undefined) continue
      requirePrecondition(command.precondition, found.text)
    }
    const before = removeById(context, collection, id)
    if (before !== undefined) return before
  }
  return undefined
}

export function deleteMany(context: WriteContext, command: DeleteManyRequest): number | SearchRequired {
  const { connection } = context
  const { expected } = command
  const collection = connection.catalog.collection(command.collection)
  if (collection === undefined) {
    requireCount(expected, 0)
    return 0
  }
  if (isEveryDocument(command.filter)) {
    // The number that is kept leaves out what was written in the same group.
    if (expected !== undefined)
      requireCount(expected, connection.row<[number]>(`SELECT count(*) FROM ${collection.table}`)![0])
    return removeEvery(context, collection)
  }
  const rowIds = selectWriteTargets(context, collection, { ...command, multi: true })
  if ('mark' in rowIds) return rowIds
  requireCount(expected, rowIds.length)
  removeRowIds(context, collection, rowIds)
  return rowIds.length
}

export function dropCollection({ connection }: WriteContext, address: CollectionAddress): boolean {
  const { catalog } = connection
  const collection = catalog.collection(address.collection)
  if (collection === undefined) return false
  for (const index of catalog.indexesOf(collection)) connection.run(`DROP TABLE ${index.table}`)
  connection.run('DELETE FROM indexes WHERE collection = ?', collection.id)
  connection.run(`DROP TABLE ${collection.table}`)
  connection.run('DELETE FROM collections WHERE id = ?', collection.id)
  catalog.forget()
  return true
}
