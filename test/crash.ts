import { parseArgs } from 'node:util'
import { crashRounds } from './server/crash-rounds.ts'

/** `npm run crash -- --rounds 200 --seed 1`: the crash test for as long as wanted. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const log = (line: string): void => void process.stdout.write(`${line}\n`)

log(`${rounds} rounds with --seed ${seed}`)
const { kills, checked } = await crashRounds({ rounds, seed, log })
log(`all well: ${rounds} rounds, ${kills} kills, ${checked} acknowledged writes found as they should be`)
