import { AppError } from '../errors.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/
const COLLECTION_CODE_POINTS = 128

/** Whether `text` has the form of an app's slug; a path that names anything else is simply not found. */
export function isAppSlug(text: string): boolean {
  return SLUG.test(text)
}

/** @throws AppError `invalid_name` */
export function appSlug(text: string): string {
  if (isAppSlug(text)) return text
  throw new AppError(
    'invalid_name',
    `"${text}" can't be an app's slug: use 1 to 63 of a-z, 0-9 and -, neither first nor last a -`,
  )
}

/**
 * Checks a collection's name as it stands after percent-decoding. Names are case-sensitive and never normalised.
 * @throws AppError `invalid_name`
 */
export function collectionName(text: string): string {
  const problem = collectionNameProblem(text)
  if (problem === undefined) return text
  throw new AppError('invalid_name', `that can't be a collection's name: ${problem}`)
}

/** Whether `text` can be a collection's name. */
export function isCollectionName(text: string): boolean {
  return collectionNameProblem(text) === undefined
}

function collectionNameProblem(text: string): string | undefined {
  if (text === '') return 'it is empty'
  if (text === '.' || text === '..') return '"." and ".." are not names'
  if (text.startsWith('$')) return 'it may not start with $'
  if (text.includes('/')) return 'it may not contain /'
  if (CONTROL_CHARACTER.test(text)) return 'it may not contain control characters'
  if (!text.isWellFormed()) return 'it contains a lone surrogate'
  if (text.length > COLLECTION_CODE_POINTS && [...text].length > COLLECTION_CODE_POINTS)
    return `it may have at most ${COLLECTION_CODE_POINTS} characters`
  return undefined
}
