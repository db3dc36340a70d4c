import type { KeyRules } from '../domain/key-rules.ts'

export interface NewApp {
  readonly slug: string
  /** An account, by its id; null for the operator's. */
  readonly owner: string | null
}

/** Names of keys are unique among those of one owner. */
export interface KeyAddress {
  /** An account, by its id; null for the operator's. */
  readonly owner: string | null
  readonly name: string
}

export interface NewKey extends KeyAddress {
  readonly hash: string
  readonly rules: KeyRules
}

export interface KeyRotation extends KeyAddress {
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
