import { debugFrom } from '../config.ts'
import { failureLine } from './failure-line.ts'
import { createProgram, type Terminal } from './program.ts'

/**
 * Runs a command line to its end, and says in one line why it failed. Answers the exit code.
 * @param args the words behind `sheaf`
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    const line = failureLine(error, { json: args.includes('--json') })
    if (line === undefined) return 0
    terminal.printError(debugFrom(terminal.env) && error instanceof Error ? `${line}\n${error.stack}` : line)
    return 1
  }
}
