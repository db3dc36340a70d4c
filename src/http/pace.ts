/** What the work of one turn of the event loop may take; the piece that is under way then is finished. */
const TURN_MS = 1
/** Time that is left to connections that come, in turns that are short: where the server is busy, none is. */
const PUT_OFF_MS = 2

/**
 * Does what connections cost when they begin and when they end, a few of them in each turn of the event loop: a
 * handshake takes a third of a millisecond, a farewell a tenth, and hundreds that come at once would hold up everybody
 * who is connected already. Networks take turns, so that one with many connections makes no other wait; what a network
 * has to be done is done in the order in which it came. Connections that wait to be accepted are accepted first, for the
 * system hands out one in each turn, and knows of no networks.
 */
export class Pace {
  /** By network, in the order in which it is their turn; none is empty. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private readonly now: () => number
  private isUnderWay = false
  private hasArrived = false
  private putOffSince: number | undefined
  private lastTurn = 0

  /** @param now milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Tells that a connection was accepted: behind it there may be more. */
  arrive(): void {
    this.hasArrived = true
  }

  start(network: string, work: () => void): void {
    const others = this.waiting.get(network)
    if (others === undefined) this.waiting.set(network, [work])
    else others.push(work)
    if (this.isUnderWay) return
    this.isUnderWay = true
    this.lastTurn = this.now()
    setImmediate(() => this.turn())
  }

  private turn(): void {
    const now = this.now()
    const turnMs = now - this.lastTurn
    this.lastTurn = now
    this.putOffSince ??= now
    if (this.hasArrived && now - this.putOffSince + turnMs < PUT_OFF_MS) {
      this.hasArrived = false
      setImmediate(() => this.turn())
      return
    }
    this.putOffSince = undefined
    const end = now + TURN_MS
    const goOn = (): void => {
      if (this.waiting.size === 0) this.isUnderWay = false
      else if (this.now() < end) startNext()
      else setImmediate(() => this.turn())
    }
    // Node does the work of a handshake in a tick that it queues, so that what it took is known in the tick after.
    const startNext = (): void => {
      this.next()()
      process.nextTick(goOn)
    }
    startNext()
  }

  /** Takes a piece of the network whose turn it is, which then comes after all others. */
  private next(): () => void {
    const [network, pieces] = this.waiting.entries().next().value!
    this.waiting.delete(network)
    const piece = pieces.shift()!
    if (pieces.length > 0) this.waiting.set(network, pieces)
    return piece
  }
}
