import { type ColumnTypes, create, ofAccount, type Past } from './migrated-tables.ts'

/** What lets an account in beside a password, which may be missing by now: it is an empty text then. */
export async function createOtherWaysIn(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  await create(
    types,
    ofAccount(db, types, 'passkeys')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('public_key', bytes, (column) => column.notNull())
      .addColumn('uses', integer, (column) => column.notNull())
      .addColumn('transports', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_used_at', integer),
  )
  await db.schema.createIndex('passkeys_by_account').on('passkeys').column('account').execute()
  await create(
    types,
    ofAccount(db, types, 'identities')
      .addColumn('issuer', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('email', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_used_at', integer)
      .addPrimaryKeyConstraint('identities_by_subject', ['issuer', 'subject']),
  )
  await db.schema.createIndex('identities_by_account').on('identities').column('account').execute()
}
