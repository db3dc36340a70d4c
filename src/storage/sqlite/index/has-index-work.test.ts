import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Connection } from '../files/connection.ts'
import { createAppFile } from '../files/schema.ts'
import { hasIndexWork } from './has-index-work.ts'

function appFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  createAppFile(join(folder, 'app.sqlite'))
  return folder
}

test('to look for work on indexes leaves no log behind, and makes no file', (t) => {
  const folder = appFolder(t)
  assert.equal(hasIndexWork(join(folder, 'app.sqlite')), false)
  assert.equal(hasIndexWork(join(folder, 'gone.sqlite')), true)
  assert.deepEqual(readdirSync(folder), ['app.sqlite'])
})

test('work that only the log of a killed server tells of is found', (t) => {
  const folder = appFolder(t)
  const connection = new Connection(join(folder, 'app.sqlite'), 'writer')
  t.after(() => connection.close())
  connection.execute("INSERT INTO collections (name) VALUES ('c')")
  connection.execute(
    `INSERT INTO indexes (collection, name, fields, is_unique, is_automatic, state, created_at)
    VALUES (1, 'a', '[]', 0, 0, 'building', 0)`,
  )
  for (const end of ['', '-wal'])
    copyFileSync(join(folder, `app.sqlite${end}`), join(folder, `killed.sqlite${end}`))
  assert.equal(hasIndexWork(join(folder, 'killed.sqlite')), true)
})
