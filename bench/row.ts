import type { Abilities } from './abilities.ts'
import type { Kit } from './kit.ts'
import type { LoadGenerator } from './load/load.ts'
import type { Options } from './options.ts'
import type { PeerCache } from './peers/cache.ts'
import type { Prepared } from './prepared.ts'

/** What a row has at hand. */
export interface Bench {
  readonly kit: Kit
  readonly generator: LoadGenerator
  readonly options: Options
  readonly abilities: Abilities
  readonly prepared: Prepared
  readonly peers: PeerCache
  readonly log: (line: string) => void
}

/** One line of work that is measured, by the name that the command line knows it by. */
export interface Row {
  readonly name: string
  readonly title: string
  run(bench: Bench): Promise<RowResult>
}

export interface RowResult {
  /** Sentences about what was measured. */
  readonly about: readonly string[]
  readonly head: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** Ratios and limits, each with whether it was met. */
  readonly verdicts: readonly string[]
  /** An SVG that shows it. */
  readonly plot?: string
}
