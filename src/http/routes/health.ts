import { AppError } from '../../errors.ts'
import { splitTarget } from '../request/request-target.ts'
import { errorReply } from '../response/error-reply.ts'
import type { Reply } from '../response/reply.ts'

const PROBE = /^\/_\/health\/(live|ready)\/?$/
const ALLOWED = 'GET, HEAD'

/** Whether a request's target asks how the server is: such a one is answered under any load. */
export function isProbe(target: string): boolean {
  return target.startsWith('/_/health/') && PROBE.test(splitTarget(target).path)
}

/**
 * The answer to a probe, which needs no credentials and learns nothing but whether the process answers (`live`) and
 * whether requests make sense at this moment (`ready`). Undefined where the path is another one.
 */
export function probeReply(path: string, method: string, isReady: () => boolean): Reply | undefined {
  const probe = PROBE.exec(path)?.[1]
  if (probe === undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD') {
    const error = new AppError('method_not_allowed', `this path takes ${ALLOWED} and no other method`)
    return { ...errorReply(error), headers: ['Allow', ALLOWED] }
  }
  if (probe === 'live' || isReady()) return { status: 200, body: '{"status":"ok"}' }
  return { status: 503, body: '{"status":"unavailable"}' }
}
