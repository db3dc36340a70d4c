import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { stringify } from '../../src/json/stringify.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts'
import { Problem, Refused, run } from './problem.ts'
import { decode, parse, Unreadable } from './read-documents.ts'
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
async function* documentsOf(
  name: string,
  resource: JsonValue,
  id: string,
): AsyncGenerator<JsonObject | Unreadable> {
  if (isJsonObject(resource)) {
    yield new Map<string, JsonValue>([['_id', name], ...resource])
    return
  }
  if (!Array.isArray(resource)) {
    yield new Unreadable(`${name} is neither an array nor an object:`, stringify(resource))
    return
  }
  for (const record of resource) {
    if (!isJsonObject(record)) yield new Unreadable('it is no object:', stringify(record))
    else if (id !== '_id' && record.has(id) && record.has('_id'))
      yield new Unreadable(`it has both ${id} and _id; name the one to keep with --id:`, stringify(record))
    else yield new Map([...record].map(([key, value]) => [key === id ? '_id' : key, value]))
  }
}

/** Which line of a text is not UTF-8; no character goes over the end of a line. */
function badLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf('\n', start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) break
    start = end + 1
  }
  return line
}

await run('json-server', async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(HELP)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Problem('name one file; --help says more')
  // json-server has it in memory as a whole, too.
  const bytes = readFileSync(file)
  const text = decode(bytes, isUtf8(bytes) ? file : `line ${badLine(bytes)} of ${file}`)
  const resources = parse(text, file)
  if (!isJsonObject(resources)) throw new Problem(`${file} should hold an object of resources`)
  const target = new Target(values)
  const refused: string[] = []
  const note = (error: unknown): void => {
    // The other resources are saved all the same.
    if (!(error instanceof Refused)) throw error
    refused.push(error.message)
  }
  for (const [collection, resource] of resources)
    await saveDocuments(target, documentsOf(collection, resource, values.id), {
      collection,
      newIds: values['new-ids'],
    }).catch(note)
  target.close()
  if (refused.length > 0) throw new Refused(refused.join('; '))
})
