import { randomBytes } from 'node:crypto'
import { emptyRegisters, noteAddress } from './distinct-addresses.ts'
import type { ThreadDelta } from './traffic-counter.ts'
import type { TrafficDelta } from './traffic-delta.ts'

/** Where the salt of a day is kept, so that a restart goes on with it. */
export interface SaltStore {
  /** Undefined where there is none. */
  get(): string | undefined
  put(text: string): void
}

interface DaySalt {
  /** Seconds since the Unix epoch. */
  readonly day: number
  readonly salt: Uint8Array
}

const DAY = 86_400
const SALT_BYTES = 16
const FORM = /^(\d{1,12}) ([0-9a-f]{32})$/

/** The salt of addresses: random, another one each day, and that of a day that is over nowhere any more. */
export class DaySalts {
  private readonly store: SaltStore
  private current: DaySalt | undefined

  constructor(store: SaltStore) {
    this.store = store
  }

  /**
   * What a thread handed over, with registers instead of the addresses.
   * @param now milliseconds since the Unix epoch
   */
  withoutAddresses(delta: ThreadDelta, now: number): TrafficDelta {
    const day = Math.floor(now / 1000 / DAY) * DAY
    const addresses = delta.addresses.map(({ app, addresses: seen }) => {
      const registers = emptyRegisters()
      const salt = this.saltOf(day)
      for (const address of seen) noteAddress(registers, { salt, app, address })
      return { app, day, registers }
    })
    return { ...delta, addresses }
  }

  private saltOf(day: number): Uint8Array {
    this.current ??= this.load()
    if (this.current?.day !== day) {
      this.current = { day, salt: randomBytes(SALT_BYTES) }
      this.save(this.current)
    }
    return this.current.salt
  }

  private load(): DaySalt | undefined {
    try {
      const [, day, salt] = FORM.exec(this.store.get() ?? '') ?? []
      return salt === undefined ? undefined : { day: Number(day), salt: Buffer.from(salt, 'hex') }
    } catch {
      // Without it a restart begins the day's count anew.
      return undefined
    }
  }

  private save({ day, salt }: DaySalt): void {
    try {
      this.store.put(`${day} ${Buffer.from(salt).toString('hex')}`)
    } catch {
      // As above.
    }
  }
}
