import { Option } from 'commander'
import { AppError } from '../errors.ts'
import { shellWord } from './shell-word.ts'
import { lineSafe, terminalSafe } from './terminal-safe.ts'

export interface OutputOptions {
  readonly data?: string
  readonly json?: boolean
}

export function dataOption(): Option {
  return new Option('--data <dir>', 'the data folder (SHEAF_DATA, else ./data)')
}

/** What a command that is printed says of the data folder, where the one that prints it was told of it. */
export function dataArgument({ data }: OutputOptions): string {
  return data === undefined ? '' : ` --data ${shellWord(data)}`
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value, for programs')
}

export interface CommandResult {
  readonly text: string
  readonly json: object
}

/**
 * Prints a command's result, for people or for programs, never both.
 * @throws AppError `output_failed`
 */
export function report(print: (text: string) => void, options: OutputOptions, result: CommandResult): void {
  print(`${terminalSafe(options.json === true ? JSON.stringify(result.json) : result.text)}\n`)
}

/** The same of a change that is done, whether anybody reads it or not. @throws AppError `output_failed` */
export function reportDone(
  print: (text: string) => void,
  options: OutputOptions,
  result: CommandResult,
): void {
  try {
    report(print, options, result)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, `${cause.message}; what was asked for is done all the same`, { cause })
  }
}

/**
 * Makes something of which the result has to be seen, as a key is. `make` is given what shows it, to be called before
 * what it made is made for good: it is shown first, and where that fails it is not made. What is killed in between has
 * shown what there isn't, and never made what nobody saw.
 * @throws AppError `output_failed`, and what making it throws
 */
export async function makeAndShow<Made>(
  print: (text: string) => void,
  options: OutputOptions,
  result: (made: Made) => CommandResult,
  make: (show: (made: Made) => void) => Promise<Made>,
): Promise<Made> {
  let isShown = false
  try {
    return await make((made) => {
      report(print, options, result(made))
      isShown = true
    })
  } catch (cause) {
    if (!isShown || !(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, `${cause.message}; do not rely on what was printed`, {
      cause: cause.cause,
    })
  }
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((line) => line.map(lineSafe))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
