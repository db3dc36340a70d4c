import { AppError } from '../errors.ts'
import type { AppStore } from '../storage/account-store.ts'
import { hashApiKey, looksLikeKey, mayBeKey } from './api-key.ts'
import { isAccountToken } from './secret.ts'

const NAME_CODE_POINTS = 128
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Checks the name of a new key. @throws AppError `invalid_name` */
export function checkKeyName(name: string): void {
  const problem = keyNameProblem(name)
  if (problem !== undefined) throw new AppError('invalid_name', `that can't be a key's name: ${problem}`)
}

/** Checks the name of a new token of an account, which is as a key's. @throws AppError `invalid_name` */
export function checkTokenName(name: string): void {
  const problem = isAccountToken(name)
    ? 'it is a token itself; call it by what it is for'
    : keyNameProblem(name)
  if (problem !== undefined) throw new AppError('invalid_name', `that can't be a token's name: ${problem}`)
}

/** The name of a key that should be there. @throws AppError `key_not_found`, which doesn't show a key */
export async function nameOfKey(control: AppStore, name: string): Promise<string> {
  if (!looksLikeKey(name) && !(await isSecret(control, name))) return name
  throw new AppError(
    'key_not_found',
    'that is a key, where its name is wanted; list the keys to see their names',
  )
}

/** Keys that were made elsewhere have no form of their own. */
async function isSecret(control: AppStore, text: string): Promise<boolean> {
  if (!mayBeKey(text)) return false
  const hash = hashApiKey(text)
  const keys = await control.listKeys()
  return keys.some(({ name, secrets }) => name !== text && secrets.some((secret) => secret.hash === hash))
}

function keyNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty'
  // It would be stored, and listed.
  if (looksLikeKey(name)) return 'it is a key itself; call it by what it is for'
  if (name !== name.trim()) return 'it may not begin or end with a space'
  // `--name --json` forgot the name, and no command could name that key.
  if (name.startsWith('-')) return 'it may not begin with -, as options do'
  if (CONTROL_CHARACTER.test(name)) return 'it may not contain control characters'
  if (!name.isWellFormed()) return 'it contains a lone surrogate'
  if ([...name].length > NAME_CODE_POINTS) return `it may have at most ${NAME_CODE_POINTS} characters`
  return undefined
}
