import { type Contender, type Sample, Skipped } from './contender.ts'
import type { Options } from './options.ts'

const WARM_UP_SECONDS = 2

/** What each contender did, a sample a round. */
export interface Measured {
  readonly contender: Contender
  readonly samples: readonly Sample[]
}

export interface Turns {
  readonly measured: readonly Measured[]
  /** Why a contender is missing. */
  readonly skipped: readonly string[]
}

/** Starts contenders, measures them in turn (A B A B …) after a warm-up of each, and stops them. */
export async function inTurn(
  starters: readonly (() => Promise<Contender>)[],
  { rounds, seconds }: Options,
  log: (line: string) => void,
): Promise<Turns> {
  const { contenders, skipped } = await startAll(starters)
  try {
    // One round is a trial of the benchmark itself.
    if (rounds > 1)
      for (const contender of contenders) await contender.measure(Math.min(WARM_UP_SECONDS, seconds))
    const measured = contenders.map((contender) => ({ contender, samples: [] as Sample[] }))
    for (let round = 1; round <= rounds; round++)
      for (const { contender, samples } of measured) {
        const sample = await contender.measure(seconds)
        samples.push(sample)
        log(`  round ${round} of ${rounds}: ${contender.name} ${Math.round(perSecond(sample))}/s`)
      }
    return { measured, skipped }
  } finally {
    for (const contender of contenders.toReversed()) await contender.stop()
  }
}

async function startAll(
  starters: readonly (() => Promise<Contender>)[],
): Promise<{ contenders: Contender[]; skipped: string[] }> {
  const contenders: Contender[] = []
  const skipped: string[] = []
  for (const start of starters)
    try {
      contenders.push(await start())
    } catch (error) {
      if (!(error instanceof Skipped)) throw error
      skipped.push(error.message)
    }
  return { contenders, skipped }
}

export function perSecond({ count, seconds }: Sample): number {
  return count / seconds
}

/** Processor time of the server for each request or document, in microseconds. */
export function cpuMicroseconds(sample: Sample): number {
  return (sample.cpuSeconds * 1e6) / sample.count
}
