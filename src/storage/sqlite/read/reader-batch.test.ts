import assert from 'node:assert/strict'
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { Connections } from '../files/connections.ts'
import { appFile, appsFolder } from '../files/data-folder.ts'
import { createAppFile } from '../files/schema.ts'
import { Reader } from './reader.ts'

const HEADER_BYTES = 100

const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-reader-'))
after(() => rmSync(dataDir, { recursive: true }))
before(() => {
  mkdirSync(appsFolder(dataDir))
  for (const app of ['one', 'other']) createAppFile(appFile(dataDir, app))
})

function reading(work: (collectionsOf: (app: string) => unknown, reader: Reader) => void): void {
  const connections = new Connections({ dataDir, mode: 'reader', limit: 1 })
  const reader = new Reader(connections)
  try {
    work((app) => reader.handle({ kind: 'collections', app }), reader)
  } finally {
    connections.closeAll()
  }
}

/** Makes a collection that was saved into, and leaves nothing of it in the log. */
function addCollection(path: string, name: string): void {
  const db = new DatabaseSync(path)
  db.prepare('INSERT INTO collections (name, last_place) VALUES (?, 1)').run(name)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Puts bytes at the beginning of a file, and answers what was there. */
function replaceHeader(path: string, bytes: Buffer): Buffer {
  const file = openSync(path, 'r+')
  try {
    const before = Buffer.alloc(bytes.length)
    readSync(file, before, 0, bytes.length, 0)
    writeSync(file, bytes, 0, bytes.length, 0)
    return before
  } finally {
    closeSync(file)
  }
}

describe('a batch of reads', () => {
  it('may be of more apps than are kept open', () => {
    reading((collectionsOf, reader) => {
      for (const app of ['one', 'other', 'one']) assert.deepEqual(collectionsOf(app), [])
      reader.endBatch()
      assert.deepEqual(collectionsOf('other'), [])
    })
  })

  it('is answered after one that could not begin, as soon as the file can be read again', () => {
    reading((collectionsOf, reader) => {
      const path = appFile(dataDir, 'one')
      assert.deepEqual(collectionsOf('one'), [])
      reader.endBatch()
      addCollection(path, 'c')
      const header = replaceHeader(path, Buffer.alloc(HEADER_BYTES))
      assert.throws(() => collectionsOf('one'), { errcode: 26 })
      reader.endBatch()
      replaceHeader(path, header)
      // SQLite keeps what it has read for as long as nothing is written.
      addCollection(path, 'd')
      assert.deepEqual(collectionsOf('one'), ['c', 'd'])
    })
  })
})
