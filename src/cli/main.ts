import { debugFrom } from '../config.ts'
import { failureLine } from './failure-line.ts'
import { createProgram } from './program.ts'

const { argv, stdout, stderr } = process
const env = process.env
try {
  await createProgram({
    env,
    print: (text) => stdout.write(text),
    printError: (text) => stderr.write(`${text}\n`),
  }).parseAsync(argv)
} catch (error) {
  const line = failureLine(error, { json: argv.includes('--json') })
  if (line !== undefined) {
    stderr.write(debugFrom(env) && error instanceof Error ? `${line}\n${error.stack}\n` : `${line}\n`)
    // Not by itself: a server that failed half-way may have left threads running.
    process.exit(1)
  }
}
