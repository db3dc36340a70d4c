import { isOutOfDescriptors, outOfDescriptors } from './descriptors.ts'

export const DISK_IS_FULL = 'the disk is full'

const PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  ENOSPC: DISK_IS_FULL,
  EDQUOT: `${DISK_IS_FULL}, or this user's share of it`,
  EROFS: 'the file system is read-only',
  ENOMEM: 'the memory is full',
})
/** SQLite's primary result code of a full disk. */
const SQLITE_FULL = 13

/**
 * In words for an operator, what the system or the disk refused for reasons that have nothing to do with what was asked
 * for; undefined for all other errors.
 */
export function systemProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (isOutOfDescriptors(error)) return outOfDescriptors(error)
  const { code, syscall, errcode } = error as { code?: unknown; syscall?: unknown; errcode?: unknown }
  if (syscall === 'uv_cwd') return 'the working directory is gone; change to one that is there'
  if (typeof errcode === 'number' && (errcode & 0xff) === SQLITE_FULL) return DISK_IS_FULL
  return typeof code === 'string' ? PROBLEMS[code] : undefined
}
