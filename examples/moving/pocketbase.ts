import { parseArgs } from 'node:util'
import type { JsonObject } from '../../src/json/value.ts'
import { askSource, objectsIn } from './ask-source.ts'
import { Problem, run } from './problem.ts'
import { saveDocuments } from './save-documents.ts'
import { TARGET_HELP, TARGET_OPTIONS, Target } from './target.ts'

const HELP = `pocketbase.ts SERVER COLLECTION…

Saves the records of collections of a PocketBase into collections of the same names. SERVER is its address.

  POCKETBASE_EMAIL, POCKETBASE_PASSWORD   a superuser, who may see every record and every field (required)
${TARGET_HELP}`

const RECORDS = 500
const OPTIONS = { ...TARGET_OPTIONS, help: { type: 'boolean', short: 'h' } } as const

/** A superuser's token. */
async function signIn(server: string): Promise<string> {
  const { POCKETBASE_EMAIL: identity, POCKETBASE_PASSWORD: password } = process.env
  if (!identity || !password)
    throw new Problem('name a superuser, with POCKETBASE_EMAIL=… POCKETBASE_PASSWORD=… before the command')
  const url = new URL(`${server}/api/collections/_superusers/auth-with-password`)
  const headers = { 'Content-Type': 'application/json' }
  const answer = await askSource(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ identity, password }),
  })
  return String(answer.get('token'))
}

/** The records by their ids, which become `_id`. */
async function* readCollection(server: string, name: string, token: string): AsyncGenerator<JsonObject> {
  let last = ''
  for (;;) {
    const url = new URL(`${server}/api/collections/${encodeURIComponent(name)}/records`)
    const query = {
      perPage: String(RECORDS),
      skipTotal: '1',
      sort: 'id',
      filter: `id>${JSON.stringify(last)}`,
    }
    for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value)
    const records = objectsIn(await askSource(url, { headers: { Authorization: token } }), 'items')
    for (const record of records) yield documentOf(record)
    if (records.length < RECORDS) return
    last = String(records.at(-1)!.get('id'))
  }
}

function documentOf(record: JsonObject): JsonObject {
  const document: JsonObject = new Map([['_id', record.get('id') ?? null]])
  const own = new Set(['id', 'collectionId', 'collectionName'])
  for (const [field, value] of record) if (!own.has(field)) document.set(field, value)
  return document
}

await run('pocketbase', async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(HELP)
  const [address, ...collections] = positionals
  if (address === undefined || !URL.canParse(address) || collections.length === 0)
    throw new Problem('name the address of a server and one collection or more; --help says more')
  const server = address.replace(/\/+$/, '')
  const target = new Target(values)
  const token = await signIn(server)
  for (const collection of collections)
    await saveDocuments(target, readCollection(server, collection, token), { collection })
  target.close()
})
