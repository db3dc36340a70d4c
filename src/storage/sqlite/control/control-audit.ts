import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../store.ts'

/** Lines that are kept; the oldest makes room for the newest. */
export const AUDIT_LINES = 100_000

/**
 * Adds a line to the audit trail, as a part of the transaction that does what the line says, and lets go of the oldest
 * where there are too many. Answers its number, which rises from line to line.
 */
export function insertAuditEntry(
  db: DatabaseSync,
  { at, actor, action, subject, details }: Omit<AuditEntry, 'details'> & { details: object },
): number {
  const { lastInsertRowid } = db
    .prepare('INSERT INTO audit(at, actor, action, subject, details) VALUES (?, ?, ?, ?, ?)')
    .run(at, actor, action, subject, JSON.stringify(details))
  // Only the oldest are ever deleted, so that the numbers of lines have no gaps.
  db.prepare('DELETE FROM audit WHERE seq <= ?').run(Number(lastInsertRowid) - AUDIT_LINES)
  return Number(lastInsertRowid)
}

/** 0 where there is none. */
export function newestAuditLine(db: DatabaseSync): number {
  return Number(db.prepare('SELECT max(seq) AS seq FROM audit').get()?.seq)
}

/** The newest first. */
export function selectAuditEntries(db: DatabaseSync, limit: number): AuditEntry[] {
  return db
    .prepare('SELECT at, actor, action, subject, details FROM audit ORDER BY seq DESC LIMIT ?')
    .all(limit)
    .map((row) => ({
      at: Number(row.at),
      actor: String(row.actor),
      action: String(row.action),
      subject: String(row.subject),
      details: String(row.details),
    }))
}
