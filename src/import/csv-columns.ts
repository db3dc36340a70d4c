import { checkedDocument, type ReadDocument } from '../body/read-document.ts'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import { storedValue } from '../json/stored.ts'
import { stringify } from '../json/stringify.ts'
import type { ColumnType } from './import-options.ts'

/** A header of more is none. */
const MOST_COLUMNS = 10_000
/** Each row has each name in it. */
const NAME_BYTES = 1024
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

interface Column {
  readonly name: string
  /** The name as a key of JSON, with its colon. */
  readonly key: string
  readonly type: ColumnType
}

/** The columns of a file of CSV, and what documents their rows are. A dot in a name nests nothing. */
export class CsvColumns {
  readonly names: readonly string[]
  private readonly columns: readonly Column[]
  private readonly limits: Limits

  /** @throws AppError `invalid_csv`, `invalid_field_name`, `null_character`, `invalid_parameter` for a type of no column */
  constructor(names: readonly string[], types: ReadonlyMap<string, ColumnType>, limits: Limits) {
    checkNames(names)
    const known = new Set(names)
    for (const name of types.keys()) if (!known.has(name)) throw unknownColumn(name)
    this.names = names
    this.limits = limits
    this.columns = names.map((name) => ({
      name,
      key: `${JSON.stringify(name)}:`,
      type: types.get(name) ?? 'auto',
    }))
  }

  /**
   * The document that a row is.
   * @throws AppError `invalid_csv`, `null_character`, what `parseJson` throws, and as `checkedDocument` does
   */
  document(cells: readonly string[]): ReadDocument {
    const { columns, limits } = this
    if (cells.length !== columns.length) throw unevenRow(cells.length, columns.length)
    let members = ''
    let idText: string | undefined
    for (let index = 0; index < columns.length; index++) {
      const { name, key, type } = columns[index]!
      const value = cellText(cells[index]!, type, name, limits)
      if (value === undefined) continue
      members += members === '' ? key + value : `,${key}${value}`
      if (name === '_id') idText = value
    }
    // As JSON writes the character; texts that look so have one more backslash.
    if (members.includes('\\u0000'))
      for (const [index, cell] of cells.entries()) refuseNul(cell, columns[index]!.name)
    const id = idText === undefined ? undefined : storedValue(idText)
    return checkedDocument({ id, text: `{${members}}` }, limits.documentBytes)
  }
}

/** Whether a cell is written as JSON writes a number that is finite. */
function isNumberCell(cell: string): boolean {
  const unit = cell.charCodeAt(0)
  return (
    (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) &&
    JSON_NUMBER.test(cell) &&
    Number.isFinite(Number(cell))
  )
}

/** The JSON text of a cell, undefined where the field is left out. @throws AppError `invalid_csv` and what `parseJson` throws */
function cellText(cell: string, type: ColumnType, name: string, limits: Limits): string | undefined {
  if (type === 'text') return JSON.stringify(cell)
  if (cell === '') return undefined
  switch (type) {
    case 'auto':
      return cell === 'true' || cell === 'false' || isNumberCell(cell) ? cell : JSON.stringify(cell)
    case 'number':
      if (isNumberCell(cell)) return cell
      throw otherType(cell, name, 'a number as JSON writes it')
    case 'boolean':
      if (cell === 'true' || cell === 'false') return cell
      throw otherType(cell, name, 'true or false')
    case 'json':
      return jsonText(cell, name, limits)
    default:
      return type satisfies never
  }
}

function jsonText(cell: string, name: string, { nestingLevels, documentBytes }: Limits): string {
  try {
    return stringify(parseJson(cell, { nestingLevels: nestingLevels - 1, maxBytes: documentBytes }))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, `the cell of ${shown(name)}: ${error.message}`, { cause: error.cause })
  }
}

function checkNames(names: readonly string[]): void {
  if (names.length > MOST_COLUMNS)
    throw new AppError('invalid_csv', `the header may have at most ${MOST_COLUMNS} columns`)
  const seen = new Set<string>()
  for (const [index, name] of names.entries()) {
    if (name === '')
      throw new AppError('invalid_csv', `column ${index + 1} has no name in the header; give it one`)
    if (Buffer.byteLength(name) > NAME_BYTES)
      throw new AppError('invalid_csv', `the name of column ${index + 1} is longer than ${NAME_BYTES} bytes`)
    if (seen.has(name))
      throw new AppError(
        'invalid_csv',
        `two columns of the header are called ${shown(name)}; rename one of them`,
      )
    if (name.startsWith('$'))
      throw new AppError(
        'invalid_field_name',
        `a document's fields may not start with $, as the column ${shown(name)} does; rename it`,
      )
    refuseNul(name, name)
    seen.add(name)
  }
}

function refuseNul(cell: string, name: string): void {
  if (!cell.includes('\u0000')) return
  throw new AppError('null_character', `the column ${shown(name)} has a NUL character here; leave it out`)
}

function unevenRow(cells: number, columns: number): AppError {
  return new AppError(
    'invalid_csv',
    `the row has ${counted(cells, 'cell')} where the header has ${counted(columns, 'column')}; a cell with the ` +
      'delimiter in it stands in quotes',
  )
}

function otherType(cell: string, name: string, type: string): AppError {
  return new AppError('invalid_csv', `the column ${shown(name)} should hold ${type}, and has ${shown(cell)}`)
}

function unknownColumn(name: string): AppError {
  return new AppError(
    'invalid_parameter',
    `types names the column ${shown(name)}, which the header doesn't have`,
  )
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
