import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'

export type SiteLimits = Pick<Limits, 'siteFiles' | 'siteFileBytes' | 'siteBytes'>

const MIB = 1024 * 1024

/** Of a path in a message: nobody reads more. */
const SHOWN_CHARACTERS = 200
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** @param problem words that go behind the path @param cause what says more, for the log */
export function badFile(path: string, problem: string, cause?: unknown): AppError {
  return new AppError('invalid_deploy', `the file ${quoted(path)} ${problem}`, { cause })
}

/** @param cause what says more, for the log */
export function badDeploy(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_deploy', problem, { cause })
}

export function tooManyFiles({ siteFiles }: SiteLimits): AppError {
  return tooLarge(`a site may have at most ${siteFiles} files`)
}

export function fileTooLarge(path: string, { siteFileBytes }: SiteLimits): AppError {
  return tooLarge(
    `the file ${quoted(path)} is too large: a file of a site may have at most ${mebibytes(siteFileBytes)}`,
  )
}

export function siteTooLarge({ siteBytes }: SiteLimits): AppError {
  return tooLarge(`the files of a site may have at most ${mebibytes(siteBytes)} in all`)
}

/** Such as `100 MiB`; limits that are no whole number of them are set by operators, who know them in bytes. */
function mebibytes(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`
}

export function noRoom(bytes: number, roomBytes: number): AppError {
  return new AppError(
    'store_unavailable',
    `the files of this deploy take ${bytes} bytes, and the disk of the server has room for ${roomBytes}; make room there, or deploy less`,
  )
}

function tooLarge(message: string): AppError {
  return new AppError('deploy_too_large', message)
}

/** A path in a message, in which no character of it hides or turns the others. */
function quoted(path: string): string {
  const shown = path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path
  return JSON.stringify(shown).replace(
    UNSHOWABLE,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
