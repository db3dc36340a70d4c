import { type ColumnTypes, create, ofAccount, type Past } from './migrated-tables.ts'

/** What was counted of apps and of the server, alerts, and what an account may have where that is not what all may have. */
export async function createAnalytics(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  await create(
    types,
    db.schema
      .createTable('traffic')
      // No reference: what is of no app has the empty text.
      .addColumn('app', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('body', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('traffic_by_time', ['app', 'kind', 'at']),
  )
  await create(
    types,
    db.schema
      .createTable('alerts')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('message', text, (column) => column.notNull())
      .addColumn('raised_at', integer, (column) => column.notNull())
      .addColumn('ended_at', integer),
  )
  await create(
    types,
    ofAccount(db, types, 'account_quotas')
      .addColumn('quota', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('account_quotas_by_account', ['account']),
  )
}
