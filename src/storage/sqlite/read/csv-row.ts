import { AppError } from '../../../errors.ts'
import { csvCell, csvText } from '../../../json/csv.ts'
import type { ExportFormat } from '../../export-store.ts'
import { TextScanner } from './text-scanner.ts'

type CsvFormat = Extract<ExportFormat, { readonly kind: 'csv' }>

/** Makes rows from the texts of documents; a line feed is to follow each. @throws AppError `changed_meanwhile` */
export function prepareCsvRow({ columns, isWhole, isGuarded }: CsvFormat): (document: string) => string {
  const places = new Map(columns.map((column, place) => [column, place]))
  return (document) => {
    const cells = Array<string>(columns.length).fill('')
    const scanner = new TextScanner(document)
    while (scanner.goesOn()) {
      const place = places.get(csvText(scanner.key()))
      if (place !== undefined) cells[place] = csvCell(scanner.passed(), isGuarded)
      else if (isWhole) throw newField()
      else scanner.pass()
    }
    return `${cells.join(',')}\r`
  }
}

function newField(): AppError {
  return new AppError(
    'changed_meanwhile',
    'while this was exported, a document came with a field that there is no column for; name the columns, or try again',
  )
}
