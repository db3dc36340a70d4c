import type { Actor, ControlStore } from '../storage/store.ts'

/** What every operation that changes accounts works with. */
export interface AccountContext {
  readonly control: ControlStore
  /** Who is doing it, for the audit trail. */
  readonly actor: Actor
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}
