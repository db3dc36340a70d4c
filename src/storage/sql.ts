/** A value that an engine binds to a parameter. */
export type SqlParameter = string | number | bigint | null

/** A piece of SQL that carries its parameters in the order of their `?`. */
export interface Sql {
  readonly text: string
  readonly parameters: readonly SqlParameter[]
}
