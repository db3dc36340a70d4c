import type { CollectionAddress, DeleteManyCommand, DeleteOneCommand } from '../store.ts'
import { compileFilter, IN_TIME } from './compile-filter.ts'
import type { WriteContext } from './write-context.ts'

export function deleteOne({ connection }: WriteContext, command: DeleteOneCommand): string | undefined {
  const table = connection.table(command.collection)
  if (table === undefined) return undefined
  for (const id of command.ids) {
    const row = connection.row<[string]>(`DELETE FROM ${table} WHERE id = ? RETURNING json(doc)`, id)
    if (row !== undefined) return row[0]
  }
  return undefined
}

export function deleteMany({ connection, deadline }: WriteContext, command: DeleteManyCommand): number {
  const table = connection.table(command.collection)
  if (table === undefined) return 0
  const filter = compileFilter(command.filter)
  connection.functions.bind({ conditions: filter.conditions, sort: [], deadline })
  return connection.run(`DELETE FROM ${table} WHERE ${filter.text} AND ${IN_TIME}`, ...filter.parameters)
}

export function dropCollection({ connection }: WriteContext, { collection }: CollectionAddress): boolean {
  const table = connection.table(collection)
  if (table === undefined) return false
  connection.run(`DROP TABLE ${table}`)
  connection.run('DELETE FROM collections WHERE name = ?', collection)
  connection.forgetTables()
  return true
}
