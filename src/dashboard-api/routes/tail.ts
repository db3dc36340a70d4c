import { AppError } from '../../errors.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { tailStream } from '../tail-stream.ts'

/** Half an hour, after which whoever still looks asks again. */
const MOST_SECONDS = 1800

/** Requests of an app while they come. */
export const TAIL_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/analytics/tail': Object.assign(
    async (request: DashboardRequest) => {
      const slug = request.name('app')
      const seconds = request.integer('seconds', MOST_SECONDS)
      if (seconds > MOST_SECONDS)
        throw new AppError('invalid_parameter', `seconds may be at most ${MOST_SECONDS}`)
      const looking = await request.call('watchTraffic', { app: slug })
      const reply = { status: 200, body: ':\n\n', file: EVENT_STREAM, headers: UNBUFFERED }
      if (request.isHead || seconds === 0) return reply
      const { app, account } = looking
      const tail = await request.openTail({ app, account })
      request.whenGone(() => tail.close())
      // Its client went before it could be told.
      if (request.isCancelled()) tail.close()
      const lookAgain = () => request.look('watchTraffic', { app: slug }).catch(() => undefined)
      const now = (): number => performance.now()
      const rest = tailStream({ tail, looking, lookAgain, lengthMs: 1000 * seconds, now })
      return { ...reply, rest }
    },
    { parameters: ['seconds'] },
  ),
}

/** What comes bit by bit is not to wait in a compressor until there is more of it. */
const EVENT_STREAM = { type: 'text/event-stream', caching: 'no-store', isCompressed: true } as const
/** The same for nginx. */
const UNBUFFERED = ['X-Accel-Buffering', 'no']
