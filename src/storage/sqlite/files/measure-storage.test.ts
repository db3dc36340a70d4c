import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { databaseState } from './measure-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheaf-state-'))
after(() => rmSync(folder, { recursive: true }))

describe('the state of a database', () => {
  it('is another one after each write, also while that is in the log alone, and the same after a read', async () => {
    const file = join(folder, 'a.sqlite')
    assert.deepEqual(await databaseState(file), { mark: '', changedAt: 0 })
    const began = Date.now()
    const open = new DatabaseSync(file)
    open.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (n)')
    open.close()
    const atRest = await databaseState(file)
    const reading = new DatabaseSync(file)
    reading.prepare('SELECT * FROM t').all()
    assert.deepEqual(await databaseState(file), atRest)
    reading.exec('INSERT INTO t VALUES (1)')
    const written = await databaseState(file)
    assert.notEqual(written.mark, atRest.mark)
    // A disk's clock may be a tick of the kernel behind, 10 ms at most.
    assert.ok(written.changedAt >= began - 10)
    reading.exec('INSERT INTO t VALUES (2)')
    assert.notEqual((await databaseState(file)).mark, written.mark)
    reading.close()
  })
})
