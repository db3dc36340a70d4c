import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createPrivateFile } from '../files/private-file.ts'

const BUSY_TIMEOUT_MS = 5000
/** Pages of 4 KiB that are copied in one go. */
const STEP_PAGES = 512
/** Steps after which the copy is sent to the disk: a long queue there would hold up the commits of others. */
const SYNCED_STEPS = 4

/**
 * Copies a database as it is at one moment, whoever else is using it, to a new file that is its owner's alone. The copying
 * is done on threads of Node's own pool. Answers whether the database was there.
 *
 * The connection has a transaction open that reads: so all steps see one state, and what others write meanwhile doesn't
 * make the copying begin anew, which would have no end under load.
 */
export async function copyDatabase(from: string, to: string): Promise<boolean> {
  const source = openToRead(from)
  if (source === undefined) return false
  try {
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_schema').get()
    createPrivateFile(to, dirname(to))
    await copyInSteps(source, to)
    return true
  } finally {
    source.close()
  }
}

async function copyInSteps(source: DatabaseSync, to: string): Promise<void> {
  // Open until the copy is whole: closing it drops the locks of this process on the file.
  const descriptor = openSync(to, 'r+')
  let steps = 0
  try {
    await backup(source, to, {
      rate: STEP_PAGES,
      progress: () => {
        steps++
        if (steps % SYNCED_STEPS === 0) fdatasyncSync(descriptor)
      },
    })
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined where it isn't there: opening must never make it. */
function openToRead(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined
  const url = pathToFileURL(path)
  // Not read-only: the index of its log may have to be made.
  url.search = 'mode=rw'
  return new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS })
}
