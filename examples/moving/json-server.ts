import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts'
import { Problem, run } from './problem.ts'
import { parse } from './read-documents.ts'
import { saveDocuments } from './save-documents.ts'
import { TARGET_HELP, TARGET_OPTIONS, Target } from './target.ts'

const HELP = `json-server.ts FILE

Saves a file of json-server (db.json) into Sheaf: each of its arrays into the collection of that name, and each of its
objects as the one document of its collection, with its name as the _id.

  --id FIELD          the field that becomes _id (default: id)
  --new-ids           let Sheaf give an _id to documents that have none
${TARGET_HELP}`

const OPTIONS = {
  ...TARGET_OPTIONS,
  id: { type: 'string', default: 'id' },
  'new-ids': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const

/** A resource's documents, each with its id in the place of an `_id`. */
async function* documentsOf(name: string, resource: JsonValue, id: string): AsyncGenerator<JsonObject> {
  if (isJsonObject(resource)) {
    yield new Map<string, JsonValue>([['_id', name], ...resource])
    return
  }
  if (!Array.isArray(resource)) throw new Problem(`${name} is neither an array nor an object`)
  for (const [index, record] of resource.entries()) {
    if (!isJsonObject(record)) throw new Problem(`element ${index} of ${name} is no object`)
    yield new Map([...record].map(([key, value]) => [key === id ? '_id' : key, value]))
  }
}

await run('json-server', async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(HELP)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Problem('name one file; --help says more')
  // json-server has it in memory as a whole, too.
  const resources = parse(readFileSync(file, 'utf8'), file)
  if (!isJsonObject(resources)) throw new Problem(`${file} should hold an object of resources`)
  const target = new Target(values)
  for (const [collection, resource] of resources)
    await saveDocuments(target, documentsOf(collection, resource, values.id), {
      collection,
      newIds: values['new-ids'],
    })
  target.close()
})
