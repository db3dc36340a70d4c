import { parseArgs } from 'node:util'
import { isJsonObject, type JsonObject } from '../../src/json/value.ts'
import { askSource, objectsIn } from './ask-source.ts'
import { Problem, run } from './problem.ts'
import { saveDocuments } from './save-documents.ts'
import { TARGET_HELP, TARGET_OPTIONS, Target } from './target.ts'

const HELP = `couchdb.ts DATABASE

Saves the documents of a CouchDB or PouchDB Server into Sheaf. DATABASE is its address, with the user where one is
needed: https://user:password@couch.example.org:6984/films

  --collection NAME   the collection to save into (default: the name of the database)
${TARGET_HELP}`

const ROWS = 200
const OPTIONS = {
  ...TARGET_OPTIONS,
  collection: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** All documents by their ids, without design documents and revisions. */
async function* readDatabase(database: URL): AsyncGenerator<JsonObject> {
  let attached = 0
  let start: string | undefined
  do {
    const url = new URL(`${database.href.replace(/\/$/, '')}/_all_docs`)
    url.searchParams.set('include_docs', 'true')
    // One more than is taken says where the next page begins.
    url.searchParams.set('limit', String(ROWS + 1))
    if (start !== undefined) url.searchParams.set('startkey', start)
    const rows = objectsIn(await askSource(url), 'rows')
    start = rows.length > ROWS ? JSON.stringify(rows[ROWS]!.get('id')) : undefined
    for (const row of rows.slice(0, ROWS)) {
      const document = row.get('doc')
      if (!isJsonObject(document) || String(row.get('id')).startsWith('_design/')) continue
      document.delete('_rev')
      if (document.has('_attachments')) attached++
      yield document
    }
  } while (start !== undefined)
  if (attached > 0)
    console.error(
      `couchdb: ${attached} documents have attachments; Sheaf has what describes them, not their data`,
    )
}

await run('couchdb', async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(HELP)
  const [address, ...others] = positionals
  if (address === undefined || others.length > 0 || !URL.canParse(address))
    throw new Problem('name the address of one database; --help says more')
  const database = new URL(address)
  const name = decodeURIComponent(database.pathname.split('/').filter(Boolean).at(-1) ?? '')
  if (name === '') throw new Problem(`${database.origin} is a server; add the name of the database`)
  const target = new Target(values)
  await saveDocuments(target, readDatabase(database), { collection: values.collection ?? name })
  target.close()
})
