import assert from 'node:assert/strict'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { AppError } from '../src/errors.ts'
import { createReader } from '../src/import/create-reader.ts'
import type { ImportOptions } from '../src/import/import-options.ts'

/** Short documents, so that long ones are soon found. */
const LIMITS = { ...DEFAULT_LIMITS, documentBytes: 1000 }

interface Read {
  /** `line text`, or `line code`, in their order. */
  readonly records: readonly string[]
  readonly messages: readonly string[]
  /** What ended the file before its end. */
  readonly fatal?: string
}

type Options = Partial<ImportOptions> & Pick<ImportOptions, 'format'>

/** Reads a file in pieces of so many bytes. */
export async function readFile(
  file: string | Buffer,
  options: Options,
  pieceBytes = 1_000_000,
): Promise<Read> {
  const records: string[] = []
  const messages: string[] = []
  const reader = createReader({
    limits: LIMITS,
    options: { isExtended: false, types: new Map(), ...options },
    sink: {
      document: ({ line }, { text }) => void records.push(`${line} ${text}`),
      fault: (line, { code, message }) => {
        records.push(`${line} ${code}`)
        messages.push(message)
      },
    },
  })
  const bytes = Buffer.from(file as string)
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await reader.push(bytes.subarray(at, at + pieceBytes))
    await reader.end()
  } catch (error) {
    assert.ok(error instanceof AppError)
    return { records, messages, fatal: `${error.code}: ${error.message}` }
  }
  return { records, messages }
}

/** Reads a file in pieces of several lengths, which have to make no difference. */
export async function readInPieces(file: string | Buffer, options: Options): Promise<Read> {
  const whole = await readFile(file, options)
  for (const length of [1, 2, 3, 7])
    assert.deepEqual(await readFile(file, options, length), whole, `${length} bytes`)
  return whole
}
