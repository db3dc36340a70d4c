import { createReadStream, createWriteStream } from 'node:fs'
import { stat, unlink, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Coding } from './manifest.ts'

/** Files up to here are compressed in memory. */
export const SHORT_BYTES = 1024 * 1024
/** What is longer takes longer to compress than it saves whoever waits for it. */
const MOST_BYTES = 10 * 1024 * 1024
/** A form that saves less is not worth its place. */
const LEAST_SAVED_BYTES = 1024
const LEAST_SAVED_PERCENT = 10
/** Qualities of brotli with the bytes of all files up to which there is time for them: the best is 20 times as slow as the last. */
const QUALITIES = [
  { mostBytes: 8 * 1024 * 1024, quality: 9 },
  { mostBytes: 128 * 1024 * 1024, quality: 5 },
] as const
const FASTEST_QUALITY = 4
const GZIP_LEVEL = 6
/** Of brotli's window, as a power of two: with more than the file is long, clearing it takes longer than compressing. */
const WINDOW = { least: 16, most: 22 } as const

const BROTLI = promisify(brotliCompress)
const GZIP = promisify(gzip)

export interface FileToCompress {
  /** Where it is. */
  readonly path: string
  /** Its bytes, where it is short. */
  readonly content: Buffer | undefined
  readonly bytes: number
  /** Of brotli; see `qualityFor`. */
  readonly quality: number
}

/** @param bytes of all files that are to be compressed */
export function qualityFor(bytes: number): number {
  return QUALITIES.find(({ mostBytes }) => bytes <= mostBytes)?.quality ?? FASTEST_QUALITY
}

/**
 * Writes a compressed form of a file, on the pool.
 * @param to where
 * @returns whether it is worth to be kept; else it is nowhere
 */
export async function compressFile(file: FileToCompress, coding: Coding, to: string): Promise<boolean> {
  const { path, content, bytes, quality } = file
  if (bytes <= LEAST_SAVED_BYTES || bytes > MOST_BYTES) return false
  const brotli = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      [constants.BROTLI_PARAM_LGWIN]: Math.max(
        WINDOW.least,
        Math.min(WINDOW.most, Math.ceil(Math.log2(bytes))),
      ),
    },
  }
  const ofGzip = { level: GZIP_LEVEL }
  if (content !== undefined) {
    const encoded = await (coding === 'br' ? BROTLI(content, brotli) : GZIP(content, ofGzip))
    if (!isWorth(encoded.length, bytes)) return false
    await writeFile(to, encoded, { mode: 0o600, flag: 'wx', flush: true })
    return true
  }
  const encoder = coding === 'br' ? createBrotliCompress(brotli) : createGzip(ofGzip)
  await pipeline(
    createReadStream(path),
    encoder,
    createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true }),
  )
  if (isWorth((await stat(to)).size, bytes)) return true
  await unlink(to)
  return false
}

function isWorth(encoded: number, bytes: number): boolean {
  return bytes - encoded >= LEAST_SAVED_BYTES && (bytes - encoded) * 100 >= bytes * LEAST_SAVED_PERCENT
}
