import { isUtf8 } from 'node:buffer'
import { AppError } from '../errors.ts'
import type { Terminal } from './program.ts'

/** More than any secret has, so that a file given by mistake is not read whole. */
const INPUT_BYTES = 4096
const NEWLINE = 0x0a
const RETURN = 0x0d

type Streams = Pick<Terminal, 'input' | 'printError'>

interface Wanted {
  readonly name: string
  /** How long it may be, for the message. */
  readonly length: string
  readonly command: string
}

const SECRET: Wanted = {
  name: 'secret',
  length: '24 to 128 characters',
  command: 'printf %s "$SECRET" | sheaf key create --name NAME --secret-stdin',
}

const PASSWORD: Wanted = {
  name: 'password',
  length: 'at least 12 characters and at most 1024 bytes',
  command: 'printf %s "$PASSWORD" | sheaf account create EMAIL --name NAME --password-stdin',
}

const TOKEN: Wanted = {
  name: 'token',
  length: 'some 50 characters',
  command: 'printf %s "$TOKEN" | sheaf deploy DIR --app SLUG --server URL --token-stdin',
}

/**
 * A secret from standard input, where no list of processes and no history of a shell shows it. The newline at its end is
 * dropped and nothing else.
 * @throws AppError `invalid_secret`
 */
export async function readSecret(streams: Streams): Promise<string> {
  // Each byte a character, so that what is not ASCII is found to be so.
  return (await readLine(streams, SECRET)).toString('latin1')
}

/** The same for the token of an account. @throws AppError `invalid_secret` */
export async function readToken(streams: Streams): Promise<string> {
  return (await readLine(streams, TOKEN)).toString('latin1')
}

/** The same for a password, in UTF-8. @throws AppError `invalid_secret` */
export async function readPassword(streams: Streams): Promise<string> {
  const bytes = await readLine(streams, PASSWORD)
  if (isUtf8(bytes)) return bytes.toString()
  throw new AppError('invalid_secret', 'standard input is not in UTF-8; write the password so')
}

async function readLine({ input, printError }: Streams, { name, length, command }: Wanted): Promise<Buffer> {
  const source = input()
  if (source.isTTY) printError(`sheaf: write the ${name}, end the line, and then press Ctrl-D`)
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
    throw new AppError('invalid_secret', `standard input has more than a ${name} in it, which has ${length}`)
  const line = Buffer.concat(chunks)
  const end = line.at(-1) !== NEWLINE ? line.length : line.length - (line.at(-2) === RETURN ? 2 : 1)
  if (end > 0) return line.subarray(0, end)
  throw new AppError('invalid_secret', `standard input is empty; write the ${name} there: ${command}`)
}
