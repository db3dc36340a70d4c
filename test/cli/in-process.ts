import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { runCommand } from '../../src/cli/run-command.ts'
import { type Environment, expecting, type Finished } from './run-sheaf.ts'

/**
 * The command line in this process, on real files: a process of its own takes a third of a second of the processor
 * for each of the hundreds of commands. That `bin/sheaf` runs the same, exits with the same code and writes to the same
 * streams, is for the tests with `run-sheaf.ts`, and so is a `serve` that comes so far as to start.
 */
export async function runInProcess(
  args: readonly string[],
  env: Environment = {},
  given?: string | Buffer,
): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  const print = (text: string | Uint8Array): void => {
    stdout += String(text)
  }
  const code = await runCommand(args, {
    env,
    print,
    write: async (bytes) => print(bytes),
    say: print,
    printError: (text) => {
      stderr += `${text}\n`
    },
    input: () => (given === undefined ? assert.fail('there is no standard input') : Readable.from([given])),
  })
  return { code, stdout, stderr }
}

export const { failure, success, json } = expecting(runInProcess)
