import type { Condition } from '../../../query/ast.ts'
import type { Sql } from '../../sql.ts'

/** SQL that is 1 where a document matches and 0 where it doesn't, never NULL. */
export interface CompiledFilter extends Sql {
  /** What the SQL functions `sheaf_matches` and `sheaf_regex` look up by number. */
  readonly conditions: readonly Condition[]
  /** Whether the index on ids finds the few documents that can match. */
  readonly usesIdIndex: boolean
  /** Whether every document matches, so that nothing is left to test. */
  readonly matchesAll: boolean
}
