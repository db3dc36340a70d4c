import { AppError, withoutStack } from '../errors.ts'

/**
 * Does what it is given, a few at a time. Those for whom it is done take turns, each in order, so that who asks for much
 * waits for it and nobody else does.
 * @param from for whom
 * @throws AppError `overloaded` where too many wait and nobody has much more waiting
 */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>, from?: string) => Promise<Result>

export function createConcurrencyLimit(options: {
  readonly atOnce: number
  readonly mostWaiting: number
}): ConcurrencyLimit {
  const { atOnce, mostWaiting } = options
  const waiting = new Turns()
  let running = 0

  return async (work, from = '') => {
    if (running < atOnce) running += 1
    else {
      if (waiting.size >= mostWaiting && !waiting.makeRoom(from)) throw withoutStack(overloaded)
      await waiting.turn(from)
    }
    try {
      return await work()
    } finally {
      // Who waits takes the place over, so that nobody who comes meanwhile gets in between.
      const next = waiting.next()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
}

interface Waiter {
  readonly begin: () => void
  readonly refuse: (error: AppError) => void
}

class Turns {
  size = 0
  /** None is empty; the first has the next turn. */
  private readonly queues = new Map<string, Waiter[]>()

  turn(from: string): Promise<void> {
    this.size += 1
    return new Promise((begin, refuse) => {
      const queue = this.queues.get(from)
      if (queue === undefined) this.queues.set(from, [{ begin, refuse }])
      else queue.push({ begin, refuse })
    })
  }

  next(): Waiter | undefined {
    for (const [from, queue] of this.queues) {
      const waiter = queue.shift()!
      this.size -= 1
      this.queues.delete(from)
      if (queue.length > 0) this.queues.set(from, queue)
      return waiter
    }
    return undefined
  }

  /** Refuses the last of whoever has the most waiting, where that leaves them no fewer than who is to have the room. */
  makeRoom(from: string): boolean {
    let longest: Waiter[] = []
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= (this.queues.get(from)?.length ?? 0) + 1) return false
    longest.pop()!.refuse(withoutStack(overloaded))
    this.size -= 1
    return true
  }
}

function overloaded(): AppError {
  return new AppError(
    'overloaded',
    'too many sign-ins are being checked at once; try again in a few seconds',
    {
      retryAfterSeconds: 5,
    },
  )
}
