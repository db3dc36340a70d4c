/** What a cell may not hold without quotes (RFC 4180, section 2). */
const QUOTED = /[",\r\n]/
/** What spreadsheets take for the beginning of a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/

/** The text that a text of JSON stands for. @param json with its quotes */
export function csvText(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
}

/**
 * The cell for a value of JSON: texts as they are, numbers with their digits, `true` and `false`, what is nested as JSON,
 * and nothing for null.
 * @param isGuarded whether texts that a spreadsheet would take for formulas get an apostrophe
 */
export function csvCell(json: string, isGuarded: boolean): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return quoted(json)
  // Quotes tell an empty text from nothing.
  return json === '""' ? json : csvTextCell(csvText(json), isGuarded)
}

function csvTextCell(text: string, isGuarded: boolean): string {
  return quoted(isGuarded && FORMULA.test(text) ? `'${text}` : text)
}

/** The first row. */
export function csvHeader(columns: readonly string[], isGuarded: boolean): string {
  return `${columns.map((column) => csvTextCell(column, isGuarded)).join(',')}\r\n`
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
