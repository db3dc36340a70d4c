import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Connection } from '../files/connection.ts'
import { createAppFile, stagingName } from '../files/schema.ts'
import { leftWork } from './left-work.ts'

function appFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  createAppFile(join(folder, 'app.sqlite'))
  return folder
}

test('to look for work leaves no log behind, and makes no file', (t) => {
  const folder = appFolder(t)
  assert.equal(leftWork(join(folder, 'app.sqlite')).indexes, false)
  assert.equal(leftWork(join(folder, 'gone.sqlite')).indexes, true)
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
  assert.equal(leftWork(join(folder, 'killed.sqlite')).indexes, true)
})

test('what an import has left behind is found', (t) => {
  const file = join(appFolder(t), 'app.sqlite')
  const connection = new Connection(file, 'writer')
  t.after(() => connection.close())
  assert.deepEqual(leftWork(file), { indexes: false, collections: false })
  connection.run('INSERT INTO collections (name) VALUES (?)', stagingName(1))
  assert.deepEqual(leftWork(file), { indexes: false, collections: true })
})
