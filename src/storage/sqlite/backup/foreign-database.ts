import { DatabaseSync } from 'node:sqlite'

/** What SQLite takes by itself (SQLITE_MAX_LENGTH). */
const LONGEST_VALUE = 1_000_000_000

/**
 * Opens a database that anybody may have made, to be read and no more. Nothing that stands in its schema is run, and nothing
 * of it is believed before `problemOf` has looked at it (SQLite, "Defense Against The Dark Arts").
 * @param most bytes of one value, and of one row, beyond which SQLite refuses it (`SQLITE_TOOBIG`) before it takes memory
 */
export function openForeign(path: string, most: number = LONGEST_VALUE): DatabaseSync {
  const db = new DatabaseSync(path, {
    readOnly: true,
    defensive: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    limits: { length: Math.min(most, LONGEST_VALUE) },
  })
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** What is wrong with the pages of a database, in SQLite's words; undefined where nothing is. */
export function problemOf(db: DatabaseSync): string | undefined {
  try {
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() ?? {}
    return found === 'ok' ? undefined : String(found)
  } catch (error) {
    return (error as Error).message
  }
}

export interface DatabaseStamp {
  readonly applicationId: number
  readonly version: number
}

/** What a database says it is. */
export function stampOf(db: DatabaseSync): DatabaseStamp {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  return { applicationId: pragma('application_id'), version: pragma('user_version') }
}
