import type { AccountStore } from '../storage/account-store.ts'
import { appFile } from '../storage/sqlite/files/data-folder.ts'
import { databaseState } from '../storage/sqlite/files/measure-storage.ts'
import type { SqliteIndexRegistry } from '../storage/sqlite/index-registry.ts'
import { monotonicMs } from '../storage/sqlite/protocol/monotonic.ts'
import { TrafficUpkeep } from './traffic-upkeep.ts'

interface WiredParts {
  readonly dataDir: string
  readonly open: () => Promise<AccountStore>
  readonly indexes: SqliteIndexRegistry
}

/** The upkeep of the traffic of a data folder's apps. */
export function createTrafficUpkeep({ dataDir, open, indexes }: WiredParts): TrafficUpkeep {
  return new TrafficUpkeep({
    tidy: async () => (await open()).tidyTraffic(),
    listApps: async () => (await (await open()).listApps()).map(({ id }) => id),
    stateOf: (app) => databaseState(appFile(dataDir, app)),
    measuredAt: async (app) => {
      const wanted = { app, kind: 'hour-storage', from: 0, to: Number.MAX_SAFE_INTEGER } as const
      return (await (await open()).findNewestTraffic(wanted))?.at
    },
    measure: (apps) => indexes.measure(apps),
    noteStorage: async (measured) => (await open()).noteStorage(measured),
    now: monotonicMs,
  })
}
