import { isOutOfDescriptors, outOfDescriptors } from '../../domain/descriptors.ts'
import type { Log } from '../log/log.ts'
import { rareWarning } from '../log/rare-warning.ts'

/**
 * Says in the log that a connection was not accepted. Without descriptors Node.js tells it again and again, for as long as
 * there are none.
 */
export function acceptFailures(log: Log): (error: Error) => void {
  const warn = rareWarning(log)
  return (error) => {
    if (isOutOfDescriptors(error)) warn(`a connection was not accepted: ${outOfDescriptors(error)}`)
    else log.fault('a connection was not accepted', error)
  }
}
