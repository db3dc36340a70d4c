import type { Filter, SortField } from '../../../query/ast.ts'
import { type CompiledFilter, compileFilter } from '../compile/compile-filter.ts'
import type { Connection } from '../files/connection.ts'

/** Compiles a filter, and tells the connection's statements of it, and when they have to give up. */
export function bindFilter(
  { functions }: Connection,
  {
    filter,
    sort = [],
    deadline,
  }: { readonly filter: Filter; readonly sort?: readonly SortField[]; readonly deadline: number },
): CompiledFilter {
  const compiled = compileFilter(filter)
  functions.bind({ conditions: compiled.conditions, sort, deadline })
  return compiled
}
