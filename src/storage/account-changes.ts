import type { KeyRules } from '../domain/key-rules.ts'

export interface NewKey {
  readonly name: string
  readonly hash: string
  readonly rules: KeyRules
}

export interface KeyRotation {
  readonly name: string
  /** Of the new secret. */
  readonly hash: string
  /** When the old ones stop working, in milliseconds since the Unix epoch. */
  readonly oldUntil: number
}

/**
 * Shows what is about to be made, when all that could be wrong with it was found to be right; where it throws, nothing is
 * made. It may take its time: others go on meanwhile, so that it may still fail to be made after that.
 */
export type Show<Made> = (made: Made) => void
