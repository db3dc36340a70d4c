import { runCommand } from './run-command.ts'
import { print, printError, say, showProgress, write } from './standard-streams.ts'

const { argv, env } = process
// Node.js opens no debugger for it any more (bin/sheaf); without a listener it would end the process.
process.on('SIGUSR1', () => {})
const code = await runCommand(argv.slice(2), {
  env,
  print,
  write,
  ...(process.stderr.isTTY && { showProgress }),
  say,
  printError: (text) => printError(`${text}\n`),
  input: () => process.stdin,
})
// Not by itself: a server that failed half-way may have left threads running.
if (code !== 0) process.exit(code)
