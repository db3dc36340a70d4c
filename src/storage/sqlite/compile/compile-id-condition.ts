import { RANK, rankOf } from '../../../json/compare.ts'
import { stringify } from '../../../json/stringify.ts'
import type { ExactNumber } from '../../../json/value.ts'
import { quantity } from '../../../json/value.ts'
import type { CompareFilter, Condition } from '../../../query/ast.ts'
import { literalParts } from '../../../query/regex.ts'
import type { Sql, SqlParameter } from '../../sql.ts'
import { DEADLINE } from './deadline-check.ts'

const NEVER: Sql = { text: '0', parameters: [] }

/**
 * A condition on `_id` by the column that holds it, and so by its index. Ids are texts and numbers only: no type
 * has to be looked up in the document, and SQLite orders numbers before texts.
 * @param number the condition's number for `sheaf_regex`
 */
export function compileIdCondition(condition: Condition, number: number): Sql {
  switch (condition.kind) {
    case 'compare':
      return compare(condition)
    case 'in': {
      const scalars = condition.values.filter((value) => isIdRank(rankOf(value)))
      if (scalars.length === 0) return NEVER
      return { text: 'id IN (SELECT value FROM json_each(?))', parameters: [stringify(scalars)] }
    }
    case 'has':
      return NEVER
    case 'regex': {
      const literal = literalParts(condition.pattern)
      if (literal?.exact && literal.kind === 'contains')
        return { text: "(id >= '' AND instr(id, ?) > 0)", parameters: [literal.literal] }
      return {
        text: `CASE typeof(id) WHEN 'text' THEN sheaf_regex(id, ${number}, ${DEADLINE}) ELSE 0 END`,
        parameters: [],
      }
    }
    default:
      return condition satisfies never
  }
}

function isIdRank(rank: number): boolean {
  return rank === RANK.number || rank === RANK.text
}

function compare({ operator, value }: CompareFilter): Sql {
  const rank = rankOf(value)
  if (!isIdRank(rank)) return NEVER
  const parameter: SqlParameter =
    rank === RANK.text ? (value as string) : quantity(value as number | ExactNumber)
  const parameters = [parameter]
  switch (operator) {
    case 'eq':
      return { text: 'id = ?', parameters }
    case 'gt':
    case 'gte': {
      const sign = operator === 'gt' ? '>' : '>='
      return { text: rank === RANK.text ? `id ${sign} ?` : `(id ${sign} ? AND id < '')`, parameters }
    }
    case 'lt':
    case 'lte': {
      const sign = operator === 'lt' ? '<' : '<='
      return { text: rank === RANK.text ? `(id ${sign} ? AND id >= '')` : `id ${sign} ?`, parameters }
    }
    default:
      return operator satisfies never
  }
}
