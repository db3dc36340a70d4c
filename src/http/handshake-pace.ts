/** What the handshakes of one turn of the event loop may take; the one that is under way then is finished. */
const TURN_MS = 2

/**
 * Starts TLS handshakes, a few in each turn of the event loop: one takes a third of a millisecond, and hundreds that come
 * at once would hold up everybody who is connected already. They start in the order in which they came.
 */
export class HandshakePace {
  private readonly waiting: (() => void)[] = []
  private readonly now: () => number

  /** @param now milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  start(handshake: () => void): void {
    if (this.waiting.push(handshake) === 1) setImmediate(() => this.turn())
  }

  private turn(): void {
    const end = this.now() + TURN_MS
    const goOn = (): void => {
      this.waiting.shift()
      if (this.waiting.length === 0) return
      if (this.now() < end) startNext()
      else setImmediate(() => this.turn())
    }
    // Node does the work of a handshake in a tick that it queues, so that what it took is known in the tick after.
    const startNext = (): void => {
      this.waiting[0]!()
      process.nextTick(goOn)
    }
    startNext()
  }
}
