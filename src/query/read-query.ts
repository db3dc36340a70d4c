import type { Limits } from '../domain/limits.ts'
import type { ErrorCode } from '../errors.ts'
import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import type { JsonValue } from '../json/value.ts'
import type { Filter, Projection, SortField } from './ast.ts'
import { EVERY_DOCUMENT } from './ast.ts'
import { parseFilter } from './parse.ts'
import { parseProjection } from './projection.ts'
import { parseSort } from './sort.ts'

/** What PHP's `json_encode` makes of the array of no conditions, which its clients of the family send. */
const EMPTY_OF_PHP = '[]'

/**
 * The query of a read; without a text it is every document, and so is an empty list.
 * @throws AppError `invalid_query` and what `parseFilter` throws
 */
export function readFilter(text: string | undefined, limits: Limits): Filter {
  return text === undefined || text === EMPTY_OF_PHP ? EVERY_DOCUMENT : filterFrom(text, limits)
}

/**
 * The query of a write to many documents. It has to be there, so that a dropped or misspelt parameter never
 * reaches every document. So an empty list is no query here.
 * @throws AppError `missing_query` and what `readFilter` throws
 */
export function readRequiredFilter(text: string | undefined, limits: Limits): Filter {
  if (text === undefined || text === '')
    throw new AppError(
      'missing_query',
      'this needs the query parameter q, a JSON object; q={} stands for every document',
    )
  return filterFrom(text, limits)
}

function filterFrom(text: string, limits: Limits): Filter {
  return parseFilter(readJson('q', 'invalid_query', text, limits), limits)
}

/** @throws AppError `invalid_parameter` and what `parseSort` throws */
export function readSort(text: string | undefined, limits: Limits): readonly SortField[] {
  if (text === undefined) return []
  return parseSort(readJson('s', 'invalid_parameter', text, limits), limits)
}

/** @throws AppError `invalid_parameter` and what `parseProjection` throws */
export function readProjection(text: string | undefined, limits: Limits): { projection?: Projection } {
  if (text === undefined) return {}
  return { projection: parseProjection(readJson('f', 'invalid_parameter', text, limits), limits) }
}

function readJson(name: string, code: ErrorCode, text: string, limits: Limits): JsonValue {
  try {
    return parseJson(text, limits)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_json') throw error
    throw new AppError(
      code,
      `${name}: ${error.message}. Field names, operators and texts are written in double quotes`,
      { cause: error },
    )
  }
}
