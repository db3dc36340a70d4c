import type { BinEntry } from '../../collection-store.ts'
import type { Connection } from '../files/connection.ts'

type BinRow = [number, string, number, number, string, BinEntry['reason']]

/** What is in the bin of an app, the newest first. */
export function binEntries(connection: Connection): BinEntry[] {
  const rows = connection
    .prepare(
      'SELECT c.id, b.name, c.documents, b.dropped_at, b.dropped_by, b.reason ' +
        'FROM bin b JOIN collections c ON c.id = b.collection ORDER BY b.dropped_at DESC, c.id DESC',
    )
    .all() as unknown as BinRow[]
  return rows.map(([id, name, documents, droppedAt, by, reason]) => ({
    ...{ id, name, documents, droppedAt, by, reason },
  }))
}
