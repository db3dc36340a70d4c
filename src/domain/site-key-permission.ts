import { AppError } from '../errors.ts'
import type { Permission } from './key-rules.ts'
import { parseKeyRules } from './key-rules-input.ts'

/**
 * What the key of a site may do, each by its name, for everybody who reads the site has it.
 * @param text some of `read,create,update,delete` with commas between
 * @throws AppError `invalid_rule`
 */
export function siteKeyPermission(text: string): readonly Permission[] {
  if (isFull(text)) throw refusedFull()
  return parseKeyRules({ permission: text }, { now: 0 }).permission!
}

/** Whether a permission is all of them by the one word. */
export function isFull(text: string | undefined): boolean {
  return text?.trim() === 'full'
}

export function refusedFull(): AppError {
  return new AppError(
    'invalid_rule',
    'everybody who reads the site has its key: name what its pages need of read,create,update,delete',
  )
}
