import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** What the databases call differently. */
export interface ColumnTypes {
  /** Compared by code point. */
  readonly text: RawBuilder<unknown>
  /** 64 bits. */
  readonly integer: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** What stands behind the columns of a table. */
  readonly end: RawBuilder<unknown> | undefined
}

// A migration sees tables of the past, for which there are no types.
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own type for them
export type Past = Kysely<any>

export async function create({ end }: ColumnTypes, table: CreateTableBuilder<string, string>): Promise<void> {
  await (end === undefined ? table : table.modifyEnd(end)).execute()
}

/** A table whose rows go with their account. */
export function ofAccount(
  db: Past,
  { text }: ColumnTypes,
  table: string,
): CreateTableBuilder<string, 'account'> {
  return db.schema
    .createTable(table)
    .addColumn('account', text, (column) => column.notNull().references('accounts.id').onDelete('cascade'))
}
