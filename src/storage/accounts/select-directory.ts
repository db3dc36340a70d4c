import { type Kysely, sql } from 'kysely'
import type { Directory } from '../directory.ts'
import { DIRECTORY_SELECTS, type DirectoryRows, directoryFrom } from './directory-rows.ts'
import type { Tables } from './tables.ts'

/** All apps, keys and token secrets, as a part of a transaction that sees one moment. */
export async function selectDirectory(db: Kysely<Tables>): Promise<Directory> {
  const rows: Record<string, unknown[][]> = {}
  for (const [name, text] of Object.entries(DIRECTORY_SELECTS)) {
    const found = await sql.raw<object>(text).execute(db)
    rows[name] = found.rows.map(Object.values)
  }
  return directoryFrom(rows as unknown as DirectoryRows)
}
