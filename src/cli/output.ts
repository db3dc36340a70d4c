import { Option } from 'commander'

export interface OutputOptions {
  readonly data?: string
  readonly json?: boolean
}

export function dataOption(): Option {
  return new Option('--data <dir>', 'the data folder (SHEAF_DATA, else ./data)')
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value, for programs')
}

/** Prints a command's result, for people or for programs, never both. */
export function report(
  print: (text: string) => void,
  options: OutputOptions,
  result: { text: string; json: object },
): void {
  print(`${options.json === true ? JSON.stringify(result.json) : result.text}\n`)
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
