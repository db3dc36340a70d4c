import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { packDocuments } from '../src/storage/packed.ts'
import { openSqliteStore } from '../src/storage/sqlite/client/store.ts'

/** A process that imports into an app, and tells of each part of it; before the last one it waits, where it is told to. */
const [dataDir, app, waits] = process.argv.slice(2) as [string, string, string?]
const PARTS = 6
const PART_DOCUMENTS = 1000

const store = await openSqliteStore({
  dataDir,
  limits: DEFAULT_LIMITS,
  serviceNames: ['Service'],
  foregroundThreads: 1,
  backgroundThreads: 1,
  onFailure: (error) => {
    throw error
  },
})
const staged = await store.beginImport({ app, collection: 'c', onConflict: 'replace', skipsRefused: false })
for (let part = 0; part < PARTS; part++) {
  await staged.add(
    packDocuments(
      Array.from({ length: PART_DOCUMENTS }, (_, n) => {
        const id = part * PART_DOCUMENTS + n
        return { id, text: `{"_id":${id},"imported":true}` }
      }),
    ),
  )
  process.stdout.write(`added ${part}\n`)
  // For ever: the threads of the store keep the process going.
  if (waits === `added ${part}`) await new Promise(() => {})
}
process.stdout.write('finishing\n')
await staged.finish()
process.stdout.write('finished\n')
