import type { Path } from '../../../json/path.ts'
import type { SortField } from '../../../query/ast.ts'
import { DEADLINE } from './deadline-check.ts'
import { beginnings, memberText, PLAIN_CODE_PARTS, typeAt, valueAt } from './json-sql.ts'

/**
 * The ORDER BY terms of a sort; ties are broken by natural order. Each field gives two: the rank of its type in
 * the one order of values, and its value within the type. Where an array lies along the path, and for objects, the
 * functions `sheaf_sort_rank` and `sheaf_sort_value` say what `query/sort.ts` says.
 */
export function compileSort(sort: readonly SortField[]): string {
  const terms = sort.flatMap((field, index) => {
    const order = field.direction === 1 ? '' : ' DESC'
    return sortTerms(field, index).map((term) => `${term}${order}`)
  })
  return [...terms, 'seq'].join(', ')
}

/** The expressions that one field of a sort orders by: its rank and its value, or the id, which has its own column. */
export function sortTerms({ path }: SortField, index: number): string[] {
  if (isId(path)) return ['id']
  if (path.length > PLAIN_CODE_PARTS)
    return ['sheaf_sort_rank', 'sheaf_sort_value'].map((name) => call(name, path, index))
  const rank = `CASE ${typeAt(path)} WHEN 'text' THEN 2 WHEN 'integer' THEN 1 WHEN 'real' THEN 1 WHEN 'true' THEN 6 WHEN 'false' THEN 5 WHEN 'object' THEN 3 WHEN 'array' THEN ${call('sheaf_sort_rank', path, index)} ELSE ${throughArrays('sheaf_sort_rank', path, index, '0')} END`
  const value = `CASE ${typeAt(path)} WHEN 'text' THEN ${valueAt(path)} WHEN 'integer' THEN ${valueAt(path)} WHEN 'real' THEN ${valueAt(path)} WHEN 'object' THEN ${call('sheaf_sort_value', path, index)} WHEN 'array' THEN ${call('sheaf_sort_value', path, index)} ELSE ${throughArrays('sheaf_sort_value', path, index, 'NULL')} END`
  return [rank, value]
}

function isId(path: Path): boolean {
  return path.length === 1 && path[0] === '_id'
}

function call(name: string, path: Path, index: number): string {
  return `${name}(${memberText(path)}, ${index}, ${DEADLINE})`
}

function throughArrays(name: string, path: Path, index: number, otherwise: string): string {
  const before = beginnings(path)
  if (before.length === 0) return otherwise
  const cases = before.map((part) => ` WHEN ${typeAt(part)} THEN ${call(name, path, index)}`).join('')
  return `CASE 'array'${cases} ELSE ${otherwise} END`
}
