import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { openSqliteStore } from '../src/storage/sqlite/client/store.ts'

/** A process that puts a collection in the bin and brings it back, again and again, and tells of each round. */
const [dataDir, app] = process.argv.slice(2) as [string, string]
const at = { app, collection: 'c' }

const { collections } = await openSqliteStore({
  dataDir,
  limits: DEFAULT_LIMITS,
  serviceNames: ['Service'],
  foregroundThreads: 1,
  backgroundThreads: 1,
  onFailure: (error) => {
    throw error
  },
})
for (let round = 0; ; round++) {
  const now = Date.now()
  const by = { by: 'ada', now }
  const emptied = (await collections.empty({ ...at, ...by }))!
  await collections.restore({ app, id: emptied.id, now })
  await collections.rename({ ...at, to: 'd', now })
  const { id } = await collections.bin({ app, collection: 'd', ...by })
  await collections.restore({ app, id, as: 'c', now })
  process.stdout.write(`${round}\n`)
}
