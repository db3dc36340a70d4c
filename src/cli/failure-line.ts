import { CommanderError } from 'commander'
import { AppError } from '../errors.ts'

/** The one line that a failed command prints, or undefined where help or the version was all that was asked. */
export function failureLine(error: unknown): string | undefined {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return undefined
    // The only failure whose "message" is the help itself, which has been printed.
    if (error.code === 'commander.help') return 'sheaf: a command is missing; see the list above'
    return `sheaf: ${oneLine(error.message).replace(/^error: |\.$/g, '')}; see "sheaf --help"`
  }
  if (error instanceof AppError) return `sheaf: ${oneLine(error.message)}${reasonOf(error)}`
  const message = error instanceof Error ? error.message : String(error)
  return `sheaf: unexpected failure: ${oneLine(message)}; SHEAF_DEBUG=1 shows where`
}

/** Who runs the command may know all of it; whoever sends a request doesn't. */
function reasonOf({ code, cause }: AppError): string {
  return code === 'store_unavailable' && cause instanceof Error ? ` (${oneLine(cause.message)})` : ''
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ')
}
