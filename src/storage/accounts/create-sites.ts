import { type ColumnTypes, create, type Past } from './migrated-tables.ts'

/** Sites of apps, their deploys, and the domains that they are to be reached by beside their own. */
export async function createSites(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer } = types
  await create(
    types,
    db.schema
      .createTable('sites')
      .addColumn('app', text, (column) => column.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('live', integer)
      .addColumn('last_version', integer, (column) => column.notNull())
      .addColumn('kept', integer, (column) => column.notNull())
      .addColumn('key_id', text)
      .addColumn('key', text),
  )
  await create(
    types,
    db.schema
      .createTable('deploys')
      .addColumn('app', text, (column) => column.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('version', integer, (column) => column.notNull())
      .addColumn('manifest', text, (column) => column.notNull())
      .addColumn('message', text, (column) => column.notNull())
      .addColumn('author', text, (column) => column.notNull())
      .addColumn('files', integer, (column) => column.notNull())
      .addColumn('bytes', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('deploys_by_version', ['app', 'version']),
  )
  await create(
    types,
    db.schema
      .createTable('site_domains')
      .addColumn('app', text, (column) => column.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('domain', text, (column) => column.notNull())
      .addColumn('token', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('verified_at', integer)
      .addPrimaryKeyConstraint('site_domains_by_app', ['app', 'domain']),
  )
}
