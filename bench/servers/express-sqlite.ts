import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serveTls } from './serve-tls.ts'

/** The parts of Express's requests and answers that are used here. */
interface RequestContext {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}
interface Reply {
  status(code: number): Reply
  json(value: unknown): void
}

/** A person as it comes in and goes out; the table has the lists and objects as texts. */
interface Person {
  readonly active: unknown
  readonly tags: unknown
  readonly address: unknown
}

const { identity, installed, file } = JSON.parse(process.argv[2]!)
const express = createRequire(join(installed, 'package.json'))('express')

const db = new DatabaseSync(file)
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT, email TEXT, age INTEGER, score INTEGER, branch INTEGER, active INTEGER,
    tags TEXT, address TEXT, created TEXT, note TEXT);
  CREATE INDEX people_branch ON people (branch)`)
const insert = db.prepare(`
  INSERT INTO people (name, email, age, score, branch, active, tags, address, created, note)
  VALUES (:name, :email, :age, :score, :branch, :active, :tags, :address, :created, :note)`)
const byId = db.prepare('SELECT * FROM people WHERE id = ?')
const byBranch = db.prepare('SELECT * FROM people WHERE branch = ? ORDER BY id LIMIT ?')
const first = db.prepare('SELECT * FROM people ORDER BY id LIMIT ?')

function save(person: Person): object {
  const row = {
    ...person,
    active: person.active ? 1 : 0,
    tags: JSON.stringify(person.tags),
    address: JSON.stringify(person.address),
  }
  return { id: insert.run(row as Record<string, string | number>).lastInsertRowid, ...person }
}

function read(row: unknown): object {
  const { active, tags, address, ...rest } = row as Person
  return {
    ...rest,
    active: active === 1,
    tags: JSON.parse(tags as string),
    address: JSON.parse(address as string),
  }
}

const app = express()
app.use(express.json({ limit: '10mb' }))
app.get('/people/:id', ({ params }: RequestContext, reply: Reply) => {
  const row = byId.get(params.id!)
  if (row === undefined) reply.status(404).json({ error: 'not found' })
  else reply.json(read(row))
})
app.get('/people', ({ query }: RequestContext, reply: Reply) => {
  const { branch, limit = '100' } = query
  const rows = branch === undefined ? first.all(limit) : byBranch.all(branch, limit)
  reply.json(rows.map(read))
})
app.post('/people', ({ body }: RequestContext, reply: Reply) => {
  reply.status(201).json(save(body as Person))
})
app.post('/people/bulk', ({ body }: RequestContext, reply: Reply) => {
  db.exec('BEGIN')
  const saved = (body as Person[]).map(save)
  db.exec('COMMIT')
  reply.status(201).json(saved)
})
serveTls(identity, app)
