import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import { parsePath } from '../json/path.ts'
import { stringify } from '../json/stringify.ts'
import type { SortField } from './ast.ts'
import { parseSort } from './sort.ts'

/** Fields of one index at most. */
const INDEX_FIELDS = 8

/**
 * Reads the fields of an index: `city`, `city,age:-1`, or as `s` has them, `{"city":1,"age":-1}`, which can name
 * every field.
 * @throws AppError `invalid_index`, and what `parseSort` and `parsePath` throw
 */
export function parseIndexFields(text: string, limits: Limits): SortField[] {
  const fields = text.startsWith('{')
    ? parseSort(parseJson(text, limits), limits)
    : text.split(',').map((part) => parseField(part, limits))
  const names = new Set(fields.map(({ path }) => path.join('.')))
  if (fields.length === 0 || names.has('') || names.size < fields.length)
    throw new AppError('invalid_index', 'an index needs fields, each of them once, such as city,age:-1')
  if (fields.length > INDEX_FIELDS)
    throw new AppError('invalid_index', `an index may have at most ${INDEX_FIELDS} fields`)
  if (fields.length === 1 && names.has('_id'))
    throw new AppError('invalid_index', 'every collection has an index on _id already')
  return fields
}

/** The name of an index: its fields as `parseIndexFields` reads them, so that no two lists of fields have one name. */
export function indexName(fields: readonly SortField[]): string {
  const named = fields.map(({ path, direction }) => ({ name: path.join('.'), direction }))
  if (!named.every(({ name }) => isPlain(name)))
    return stringify(new Map(named.map(({ name, direction }) => [name, direction])))
  return named.map(({ name, direction }) => name + (direction === 1 ? '' : ':-1')).join(',')
}

/** Whether a field can be written without the quotes of JSON. */
function isPlain(name: string): boolean {
  return !/[,:]/.test(name) && !name.startsWith('{') && name === name.trim()
}

function parseField(part: string, limits: Limits): SortField {
  const [field = '', direction = '1', ...more] = part.trim().split(':')
  if ((direction !== '1' && direction !== '-1') || more.length > 0)
    throw new AppError(
      'invalid_index',
      `${JSON.stringify(part)} should be a field, alone or with :1 or :-1 behind it; write a name with a colon as {"a:b":1}`,
    )
  return { path: parsePath(field, limits.nestingLevels), direction: direction === '1' ? 1 : -1 }
}
