import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** One page of the documentation, by its path in the clone. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

interface Block {
  readonly language: string
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A block of shell commands, and what the page says they print: the text of the block right behind it, if any. */
export interface Example {
  readonly commands: string
  readonly answer?: { readonly language: string; readonly text: string }
}

/**
 * The examples of a page. Each `sh` block is one; a `json` or `text` block with nothing but blank space between is
 * its answer, and without one the commands should print nothing. A block in any other language is not run.
 */
export function examplesOf(page: string): Example[] {
  const blocks = blocksOf(page)
  return blocks.flatMap((block, index) => {
    if (block.language !== 'sh') return []
    const next = blocks[index + 1]
    const follows = next !== undefined && page.slice(block.end, next.start).trim() === ''
    if (!follows || next.language === 'sh') return [{ commands: block.text }]
    return [{ commands: block.text, answer: { language: next.language, text: next.text } }]
  })
}

/** A name for an example: its commands on one line, without what every curl line has. */
export function exampleName({ commands }: Example): string {
  const line = commands.trim().replaceAll(/\s*\\?\n\s*/g, ' ')
  return line.replaceAll('-sS --cacert "$CA" -H "X-Service-API-Key: $KEY" ', '')
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** The first block of a language behind a heading or any other text. */
export function blockAfter(page: string, text: string, language: string): string {
  const at = page.indexOf(text)
  const block = blocksOf(page).find((one) => at >= 0 && one.start > at && one.language === language)
  if (block === undefined) throw new Error(`there is no ${language} block behind ${JSON.stringify(text)}`)
  return block.text
}

/** The part of a page under one heading of the second level. */
export function section(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`)
  if (start < 0) throw new Error(`there is no section "${heading}"`)
  const end = page.indexOf('\n## ', start + 1)
  return page.slice(start, end < 0 ? page.length : end)
}

/** The rows of every table with these column names, each cell as it is written. */
export function tableRows(page: string, ...columns: readonly string[]): string[][] {
  const lines = page.split('\n')
  const heads = lines.flatMap((line, index) => (cells(line).join() === columns.join() ? [index] : []))
  return heads.flatMap((head) => {
    const rows = lines.slice(head + 2)
    const end = rows.findIndex((line) => !line.startsWith('|'))
    return rows.slice(0, end < 0 ? rows.length : end).map(cells)
  })
}

function cells(line: string): string[] {
  if (!line.startsWith('|')) return []
  const parts = line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
  return parts.map((part) => part.trim().replaceAll('\\|', '|'))
}

/** The text inside the backticks of a cell, where that is all the cell holds. */
export function code(cell: string): string {
  const text = /^`` (.*) ``$|^`([^`]*)`$/.exec(cell)
  if (text === null) throw new Error(`${cell} should be code in backticks`)
  return text[1] ?? text[2]!
}
