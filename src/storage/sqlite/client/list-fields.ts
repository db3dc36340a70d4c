import type { ListFieldsCommand } from '../../export-store.ts'
import type { Readers } from './begin-read.ts'
import type { ReadAllowance } from './chunked-find.ts'
import { readLines } from './read-lines.ts'

/**
 * Collects the names that the reading threads tell of each chunk, until there are more than may be: a document can have a
 * hundred thousand of its own.
 * @throws AppError as `readLines` does
 */
export async function listFields(
  readers: Readers,
  { most, ...command }: ListFieldsCommand,
  allowance: ReadAllowance,
): Promise<string[] | undefined> {
  const fields = new Set<string>()
  let units = 0
  const lines = { kind: 'fields', most: most.names } as const
  for await (const chunk of readLines(readers, { ...command, lines }, allowance))
    for (const line of chunk.split('\n')) {
      for (const field of line === '' ? [] : (JSON.parse(line) as string[])) {
        if (fields.has(field)) continue
        fields.add(field)
        units += field.length
      }
      if (fields.size > most.names || units > most.units) return undefined
    }
  return [...fields]
}
