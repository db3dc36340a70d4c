import type { ReadReport } from '../../operations/find-documents.ts'

/** Characters of an index's name that a header quotes; a name may be as long as the paths of eight fields. */
const NAME_LENGTH = 200

/** Of a read that needed no trip to the store, or asked for nothing. */
export const FROM_MEMORY = timing(0, 'memory')

/**
 * The value of `Server-Timing` (W3C Server Timing) that tells how long a read was in the store, and by what it was
 * found: `id`, `count`, `scan` or `index:` with the name of the index.
 */
export function serverTiming(report: ReadReport | undefined): string {
  if (report === undefined) return FROM_MEMORY
  const { kind, index } = report.plan
  return timing(report.milliseconds, index === undefined ? kind : `${kind}:${headerSafe(index)}`)
}

/** The same of a read by `_id`, which has only its time to tell. */
export function pointTiming(milliseconds: number): string {
  return timing(milliseconds, 'id')
}

function timing(milliseconds: number, description: string): string {
  return `store;dur=${milliseconds.toFixed(2)};desc="${description}"`
}

/** A field may have any name, a header may not: what is not plain is written as in a URL. */
function headerSafe(name: string): string {
  if (/^[\w.,:-]*$/.test(name) && name.length <= NAME_LENGTH) return name
  return encodeURI(name.slice(0, NAME_LENGTH).toWellFormed())
}
