import type { DatabaseSync } from 'node:sqlite'
import type { AppRecord } from '../store.ts'

export function selectApps(db: DatabaseSync): AppRecord[] {
  return db
    .prepare('SELECT id, slug, created_at FROM apps ORDER BY slug')
    .all()
    .map((row) => ({ id: String(row.id), slug: String(row.slug), createdAt: Number(row.created_at) }))
}
