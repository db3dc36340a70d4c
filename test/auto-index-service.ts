import { AutoIndex } from '../src/auto-index/auto-index.ts'
import { COST } from '../src/auto-index/auto-index-rule.ts'
import { IndexAccounts } from '../src/auto-index/index-accounts.ts'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseIndexFields } from '../src/query/index-fields.ts'
import { readFilter, readSort } from '../src/query/read-query.ts'
import { QueryStats } from '../src/query-stats/query-stats.ts'
import type { FingerprintStats } from '../src/query-stats/stats-snapshot.ts'
import type { IndexJobs, KnownIndex } from '../src/storage/index-jobs.ts'
import type { IndexCommand } from '../src/storage/index-store.ts'
import type { ReadPlan } from '../src/storage/store.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
/** The collection that is asked. */
export const AT = { app: 'a', collection: 'c' }
export const DOCUMENTS = 2000
/** Scans of all documents that find nothing, which cost what an index does. */
export const SCANS = COST.built

export function record(fields: string, extra: Partial<KnownIndex> = {}): KnownIndex {
  return {
    collection: 'c',
    name: fields,
    fields: parseIndexFields(fields, DEFAULT_LIMITS),
    isUnique: false,
    isAutomatic: true,
    state: 'ready',
    documents: DOCUMENTS,
    ...extra,
  }
}

/** A service whose indexes are a list. */
export function service({
  records = [] as KnownIndex[],
  isOn = true,
  failure = undefined as Error | undefined,
} = {}) {
  let clock = 0
  const created: IndexCommand[] = []
  const dropped: string[] = []
  const failures: unknown[] = []
  const jobs: IndexJobs = {
    finishAll: async () => ({ automatic: new Map(), failures: [] }),
    list: async () => records,
    create: async (command) => {
      if (failure) throw failure
      created.push(command)
      records.push(record(command.name))
    },
    drop: async ({ name }) => {
      dropped.push(name)
      records.splice(0, records.length, ...records.filter((each) => each.name !== name))
    },
    close: async () => {},
  }
  const now = () => clock
  const stats = new QueryStats({ now, slowMs: 500 })
  const accounts = new IndexAccounts({ stats, now })
  const auto = new AutoIndex({
    stats,
    accounts,
    jobs,
    isOn: () => isOn,
    now,
    tell: () => {},
    onFailure: (error) => failures.push(error),
  })
  const read = async (
    q: string,
    plan: ReadPlan,
    { s = undefined as string | undefined, returned = 0 } = {},
  ) => {
    const filter = readFilter(q, DEFAULT_LIMITS)
    const report = { plan, returned, milliseconds: 1 }
    const sort = readSort(s, DEFAULT_LIMITS)
    const observed = { ...AT, filter, sort, limit: 10, startedAt: clock, report }
    const query = stats.record(observed)
    accounts.charge(query, observed)
    auto.consider(query)
    await auto.settled()
    return decided(query)
  }
  const scan = async (
    times: number,
    q = '{"x":1}',
    { examined = DOCUMENTS, returned = 0, s = undefined as string | undefined } = {},
  ) => {
    let query: ReturnType<typeof decided> | undefined
    for (let time = 0; time < times; time++)
      query = await read(q, { kind: 'scan', examined }, { s, returned })
    return query!
  }
  return {
    scan,
    read,
    auto,
    jobs,
    stats,
    accounts,
    created,
    dropped,
    failures,
    pass: (ms: number) => {
      clock += ms
    },
    review: async () => {
      auto.review()
      await auto.settled()
    },
  }
}

/** What is known of a query, with what was decided. */
function decided(query: FingerprintStats) {
  return { query, decision: query.account?.decision }
}
