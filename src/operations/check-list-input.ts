import { AppError } from '../errors.ts'

/** Entries of a list that may be asked for at a time. */
const MOST_ENTRIES = 1000
/** Characters; an e-mail address has 254 at most. */
const MOST_SEARCHED = 254

/** @param texts what is searched for, by the names of the parameters @throws AppError `invalid_parameter` */
export function checkListInput<Input extends { readonly limit?: number | undefined }>({
  limit,
  ...texts
}: Input): void {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES))
    throw new AppError('invalid_parameter', `the limit must be a whole number from 1 to ${MOST_ENTRIES}`)
  for (const [name, text] of Object.entries(texts) as [string, string | undefined][]) {
    if (text === undefined || (text.length <= MOST_SEARCHED && !text.includes('\0'))) continue
    throw new AppError(
      'invalid_parameter',
      `${name} must have ${MOST_SEARCHED} characters at most, none of them U+0000`,
    )
  }
}
