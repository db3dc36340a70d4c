import { AppError, withoutStack } from '../errors.ts'

/** Does what it is given, in order, a few at a time. @throws AppError `overloaded` where too many wait already */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createConcurrencyLimit(options: {
  readonly atOnce: number
  readonly mostWaiting: number
}): ConcurrencyLimit {
  const { atOnce, mostWaiting } = options
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw withoutStack(overloaded)
    try {
      return await work()
    } finally {
      // Who waits takes the place over, so that nobody who comes meanwhile gets in between.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function overloaded(): AppError {
  return new AppError(
    'overloaded',
    'too many passwords are being checked at once; try again in a few seconds',
    {
      retryAfterSeconds: 5,
    },
  )
}
