/** The parameter of a statement that says when it has to give up, in milliseconds of `performance.now()`. */
export const DEADLINE = ':deadline'

/** A golden ratio of 2^20, so that also of row ids at equal distances one in so many is met. */
const STRIDE = 648_055
const ROUND = 2 ** 20

/**
 * SQL that asks for the time at one row id in natural order of 1,024, so that a statement over a whole collection, or
 * a whole index, can give up.
 */
export function deadlineCheck(column: string): string {
  return atOneOf(1024, column)
}

/** The same at one row id of 16, for statements that may take a few milliseconds: documents can be large. */
export function frequentDeadlineCheck(column: string): string {
  return atOneOf(16, column)
}

function atOneOf(rowIds: number, column: string): string {
  return `(${column} * ${STRIDE} & ${ROUND - 1} >= ${ROUND / rowIds} OR sheaf_check_deadline(${DEADLINE}))`
}
