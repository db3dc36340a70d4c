import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { JsonObject } from '../../src/json/value.ts'
import { type Dates, fromExtendedJson } from './from-extended-json.ts'
import { Problem, run } from './problem.ts'
import { readDocuments, Unreadable } from './read-documents.ts'
import { saveDocuments } from './save-documents.ts'
import { TARGET_HELP, TARGET_OPTIONS, Target } from './target.ts'

const HELP = `documents.ts FILE

Saves a file of JSON documents into Sheaf: what mongoexport, flybase-export or a GET of mLab's Data API has written, in
Extended JSON or plain, one document a line or in an array. FILE may be - for standard input.

  --collection NAME   the collection to save into (default: the name of the file)
  --dates text        dates as bare texts, not as {"$date":"…"}
  --new-ids           let Sheaf give an _id to documents that have none
${TARGET_HELP}`

const OPTIONS = {
  ...TARGET_OPTIONS,
  collection: { type: 'string' },
  dates: { type: 'string', default: 'object' },
  'new-ids': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const

async function* converted(file: string, dates: Dates): AsyncGenerator<JsonObject | Unreadable> {
  for await (const document of readDocuments(file))
    yield document instanceof Unreadable ? document : fromExtendedJson(document, dates)
}

await run('documents', async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(HELP)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Problem('name one file; --help says more')
  const { dates } = values
  if (dates !== 'object' && dates !== 'text') throw new Problem('--dates takes object or text')
  if (file === '-' && values.collection === undefined) throw new Problem('name the --collection to save into')
  const collection = values.collection ?? basename(file).replace(/\.json[l]?$/, '')
  const target = new Target(values)
  await saveDocuments(target, converted(file, dates), { collection, newIds: values['new-ids'] })
  target.close()
})
