import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { keepBackups } from './keep-backups.ts'

const accounts = { backUp: () => assert.fail() }

/** What a start with this folder for backups warns of. */
function warningsOf(folder: string): string[] {
  const warnings: string[] = []
  const log = { warn: (line: string) => void warnings.push(line) }
  keepBackups({ backups: { folder, everyMs: undefined, keep: 7 } }, { accounts, log })()
  return warnings
}

describe('a server with a folder for backups', () => {
  it('warns at its start where none can be made there', () => {
    const gone = join(tmpdir(), 'sheaf-none', 'kept')
    assert.deepEqual(warningsOf(gone), [
      `no backup can be made: the folder ${gone} doesn't exist (--backup-dir)`,
    ])
    assert.match(warningsOf(import.meta.filename)[0]!, /keep-backups\.test\.ts is no folder/)
    assert.deepEqual(warningsOf(tmpdir()), [])
  })
})
