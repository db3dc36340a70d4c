import type { Path } from '../../../json/path.ts'

/** A text as an SQL literal. Paths are literals, not parameters, so that an index on one can be recognised. */
function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** SQLite's JSON path to a field: each part is a quoted label, whatever characters it holds. */
function jsonPath(path: Path): string {
  return `$${path.map((part) => `.${JSON.stringify(part)}`).join('')}`
}

/** The name of the JSON type at a path, NULL where nothing is or where an array lies on the way. */
export function typeAt(path: Path): string {
  return `json_type(doc, ${sqlText(jsonPath(path))})`
}

/** The SQL value at a path: right only where the type there is known to be a number or a text. */
export function valueAt(path: Path): string {
  return `json_extract(doc, ${sqlText(jsonPath(path))})`
}

/** The JSON text of the member that a path begins with, for the functions that look at it in plain code. */
export function memberText(path: Path): string {
  return `doc -> ${sqlText(jsonPath(path.slice(0, 1)))}`
}

/** The proper beginnings of a path, shortest first: where an array would have to be gone through. */
export function beginnings(path: Path): Path[] {
  return path.slice(1).map((_, index) => path.slice(0, index + 1))
}

/** Longer paths are followed in plain code alone, for the SQL that follows them grows with the square. */
export const PLAIN_CODE_PARTS = 8
