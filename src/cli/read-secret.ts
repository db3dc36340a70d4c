import { AppError } from '../errors.ts'
import type { Terminal } from './program.ts'

/** More than any secret has, so that a file given by mistake is not read whole. */
const INPUT_BYTES = 4096

/**
 * A secret from standard input, where no list of processes and no history of a shell shows it. The newline at its end is
 * dropped and nothing else.
 * @throws AppError `invalid_secret`
 */
export async function readSecret({
  input,
  printError,
}: Pick<Terminal, 'input' | 'printError'>): Promise<string> {
  const source = input()
  if (source.isTTY) printError('sheaf: write the secret, end the line, and then press Ctrl-D')
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of source) {
      chunks.push(Buffer.from(chunk as Uint8Array))
      bytes += chunk.length
      if (bytes > INPUT_BYTES) break
    }
  } catch (cause) {
    throw new AppError('invalid_secret', "standard input can't be read; give it a pipe or a file", { cause })
  }
  if (bytes > INPUT_BYTES)
    throw new AppError(
      'invalid_secret',
      'standard input has more than a secret in it, which has 24 to 128 characters',
    )
  // Each byte a character, so that what is not ASCII is found to be so.
  const secret = Buffer.concat(chunks)
    .toString('latin1')
    .replace(/\r?\n$/, '')
  if (secret !== '') return secret
  throw new AppError(
    'invalid_secret',
    'standard input is empty; write the secret there: printf %s "$SECRET" | sheaf key create --name NAME --secret-stdin',
  )
}
