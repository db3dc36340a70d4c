import { CommanderError } from 'commander'
import { systemProblem } from '../domain/system-problem.ts'
import { AppError } from '../errors.ts'
import { lineSafe } from './terminal-safe.ts'

/** A command that can't be understood. */
export class UsageError extends CommanderError {
  /** The words of the command, whose help says more. */
  readonly command: string

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, message)
    this.command = command
  }
}

/**
 * The one line that a failed command prints, or undefined where help or the version was all that was asked.
 * @param json whether what has a code is told with it, for programs
 */
export function failureLine(error: unknown, { json = false } = {}): string | undefined {
  const line = lineOf(error, json)
  return line && lineSafe(line)
}

function lineOf(error: unknown, json: boolean): string | undefined {
  if (error instanceof UsageError) {
    if (error.exitCode === 0) return undefined
    // The only failure whose "message" is the help itself, which has been printed.
    if (error.code === 'commander.help') return 'sheaf: a command is missing; see the list above'
    return `sheaf: ${oneLine(error.message).replace(/^error: |\.$/g, '')}; see "${error.command} --help"`
  }
  if (error instanceof AppError) {
    const message = `${oneLine(error.message)}${reasonOf(error)}`
    return json ? JSON.stringify({ code: error.code, message }) : `sheaf: ${message}`
  }
  const problem = systemProblem(error)
  const message = error instanceof Error ? oneLine(error.message) : String(error)
  if (problem !== undefined) return `sheaf: ${problem} (${message})`
  return `sheaf: unexpected failure: ${message}; SHEAF_DEBUG=1 shows where`
}

/** Who runs the command may know all of it; whoever sends a request doesn't. */
function reasonOf({ code, message, cause }: AppError): string {
  if (code !== 'store_unavailable' || !(cause instanceof Error) || message.includes(cause.message)) return ''
  return ` (${oneLine(cause.message)})`
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ')
}
