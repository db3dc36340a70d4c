import type { OnConflict } from '../domain/on-conflict.ts'
import { AppError } from '../errors.ts'
import {
  COLUMN_TYPES,
  type ColumnType,
  DELIMITERS,
  type Delimiter,
  IMPORT_FORMATS,
  type ImportFormat,
} from './import-options.ts'

const ON_CONFLICT = ['fail', 'skip', 'replace'] as const satisfies readonly OnConflict[]

/** How a file is to be read, as a client says it. */
export interface ImportTexts {
  readonly format?: string | undefined
  readonly ejson: boolean
  /** A JSON object with a type for columns by their names. */
  readonly types?: string | undefined
  /** One of the delimiters, or `tab`. */
  readonly delimiter?: string | undefined
}

export interface ReadOptions {
  readonly format: ImportFormat | undefined
  readonly isExtended: boolean
  readonly types: ReadonlyMap<string, ColumnType>
  readonly delimiter: Delimiter | undefined
}

/** @throws AppError `invalid_parameter` */
export function readImportOptions({ format: formatText, ejson, types, delimiter }: ImportTexts): ReadOptions {
  const format = formatText === undefined ? undefined : oneOf(IMPORT_FORMATS, formatText, 'format')
  if (ejson && format === 'csv')
    throw new AppError('invalid_parameter', 'ejson goes with JSON and NDJSON, and not with csv')
  if ((types !== undefined || delimiter !== undefined) && format !== undefined && format !== 'csv')
    throw new AppError('invalid_parameter', 'types and delimiter go with format=csv')
  return {
    format,
    isExtended: ejson,
    types: types === undefined ? new Map() : columnTypes(types),
    delimiter: delimiter === undefined ? undefined : delimiterOf(delimiter),
  }
}

/** @throws AppError `invalid_parameter` */
export function readOnConflict(text: string | undefined): OnConflict {
  return text === undefined ? 'fail' : oneOf(ON_CONFLICT, text, 'on-conflict')
}

function delimiterOf(text: string): Delimiter {
  return oneOf(DELIMITERS, text === 'tab' ? '\t' : text, 'delimiter', ', or ; or tab')
}

function columnTypes(text: string): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>()
  for (const [name, type] of Object.entries(jsonObject(text)))
    types.set(name, oneOf(COLUMN_TYPES, type, 'types'))
  return types
}

function jsonObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new AppError(
    'invalid_parameter',
    'the parameter types should be a JSON object with columns and their types, such as {"zip":"text"}',
  )
}

function oneOf<Value extends string>(
  values: readonly Value[],
  given: unknown,
  name: string,
  choice = values.join(' or '),
): Value {
  const value = values.find((each) => each === given)
  if (value === undefined) throw new AppError('invalid_parameter', `the parameter ${name} takes ${choice}`)
  return value
}
