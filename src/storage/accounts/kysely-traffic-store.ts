import type { CellFilter } from '../../analytics/cell-sums.ts'
import type { CollectionBytes } from '../../analytics/pack.ts'
import type { TrafficCell } from '../../analytics/traffic.ts'
import type { TrafficDelta } from '../../analytics/traffic-delta.ts'
import {
  OF_SERVER,
  type ServerRun,
  type TrafficKind,
  type TrafficRow,
  type TrafficStore,
  type TrafficWanted,
} from '../traffic-store.ts'
import { addToTraffic } from './add-to-traffic.ts'
import { KyselyAppStore } from './app-store.ts'
import {
  deleteOldTraffic,
  isClockBelieved,
  measureTraffic,
  shrinkTraffic,
  TRAFFIC_BYTES,
} from './tidy-traffic.ts'
import { readRows, selectAppIds, selectTraffic, sumRows } from './traffic.ts'
import { additionsOf, storageAdditions } from './traffic-additions.ts'

/** What was counted of apps, over a query builder, for every database. */
export class KyselyTrafficStore extends KyselyAppStore implements TrafficStore {
  addTraffic(delta: TrafficDelta, note?: string): Promise<void> {
    return addToTraffic(this.log, { additions: additionsOf(delta), note, now: this.now() })
  }

  noteStorage(measured: ReadonlyMap<string, readonly CollectionBytes[]>): Promise<void> {
    const now = this.now()
    return addToTraffic(this.log, { additions: storageAdditions(measured, now), now })
  }

  noteRun({ from: at, to }: ServerRun): Promise<void> {
    const addition = { app: OF_SERVER, kind: 'run', at, value: to } as const
    return addToTraffic(this.log, { additions: [addition], now: this.now() })
  }

  async *findTraffic<Kind extends TrafficKind>(
    wanted: TrafficWanted<Kind>,
  ): AsyncGenerator<TrafficRow<Kind>> {
    yield* readRows(wanted.kind, await this.log.read((db) => selectTraffic(db, wanted)))
  }

  async findNewestTraffic<Kind extends TrafficKind>(
    wanted: TrafficWanted<Kind>,
  ): Promise<TrafficRow<Kind> | undefined> {
    const rows = await this.log.read((db) => selectTraffic(db, wanted, 1))
    return (await readRows(wanted.kind, rows).next()).value
  }

  async sumCells(wanted: TrafficWanted<'hour-cells' | 'day-cells'> & CellFilter): Promise<TrafficCell[]> {
    return sumRows(await this.log.read((db) => selectTraffic(db, wanted)), wanted)
  }

  /** One app after the other, so that nothing waits for all of them. */
  async tidyTraffic(): Promise<void> {
    if (!(await this.log.write((db) => isClockBelieved(db, this.now())))) return
    const clean = (app: string, share: number): Promise<number> =>
      this.log.write(async (db) => {
        await deleteOldTraffic(db, { app, share, now: this.now() })
        return measureTraffic(db, app)
      })
    const bytesOf = new Map<string, number>()
    for (const app of [OF_SERVER, ...(await this.log.read(selectAppIds))])
      bytesOf.set(app, await clean(app, 1))
    await shrinkTraffic({ bytesOf, mostBytes: TRAFFIC_BYTES, cut: clean })
  }
}
