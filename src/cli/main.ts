import { debugFrom } from '../config.ts'
import { failureLine } from './failure-line.ts'
import { createProgram } from './program.ts'
import { print, printError, say } from './standard-streams.ts'

const { argv, env } = process
// Node.js opens no debugger for it any more (bin/sheaf); without a listener it would end the process.
process.on('SIGUSR1', () => {})
try {
  await createProgram({
    env,
    print,
    say,
    printError: (text) => printError(`${text}\n`),
    input: () => process.stdin,
  }).parseAsync(argv)
} catch (error) {
  const line = failureLine(error, { json: argv.includes('--json') })
  if (line !== undefined) {
    printError(debugFrom(env) && error instanceof Error ? `${line}\n${error.stack}\n` : `${line}\n`)
    // Not by itself: a server that failed half-way may have left threads running.
    process.exit(1)
  }
}
