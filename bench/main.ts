import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { abilitiesOf } from './abilities.ts'
import { Kit } from './kit.ts'
import { chooseGenerator } from './load/load.ts'
import { describeMachine } from './machine.ts'
import { machineNow, othersSince } from './machine-load.ts'
import { type Options, optionsFrom, USAGE } from './options.ts'
import { PeerCache } from './peers/cache.ts'
import { Prepared } from './prepared.ts'
import { reportWith, sectionOf } from './report.ts'
import type { Bench, Row, RowResult } from './row.ts'
import { ROWS } from './rows.ts'

const RESULTS = new URL('./RESULTS.md', import.meta.url)
const PLOTS = new URL('./plots/', import.meta.url)

/** Runs the rows that were asked for, and writes what came of them. */
async function main(options: Options): Promise<void> {
  const began = performance.now()
  const rows = chosen(options)
  const { log } = console
  const kit = new Kit(options.folder)
  const bench: Bench = {
    kit,
    options,
    log,
    generator: await chooseGenerator(kit, options.load),
    abilities: await abilitiesOf(kit),
    prepared: new Prepared(kit, options, log),
    peers: new PeerCache(options.peers, log),
  }
  const machine = await describeMachine(kit, options)
  log(machine)
  for (const row of rows) await runRow(bench, row, machine)
  log(`${rows.length} rows in ${secondsSince(began)} s`)
}

async function runRow(bench: Bench, row: Row, machine: string): Promise<void> {
  const { options, generator, log } = bench
  const { rounds, seconds, scale } = options
  log(`${row.name}: ${row.title}`)
  const began = performance.now()
  const before = machineNow()
  const result = await row.run(bench)
  bench.kit.sweep()
  const size = scale === 1 ? '' : ` Documents: ${scale} of what is said.`
  const conditions = [
    `${new Date().toISOString().slice(0, 10)}. ${machine}. ${rounds} rounds of ${seconds} s, load by ` +
      `${generator.name}; ${secondsSince(began)} s in all. ${othersSince(before)}${size}`,
  ]
  const section = sectionOf(row, result, conditions)
  log(`\n${section}\n`)
  // After each row, so that a failure in a later one loses nothing.
  if (options.write) write(row, section, result)
}

/** @throws Error where there is no such row */
function chosen({ rows }: Options): readonly Row[] {
  if (rows.length === 0) return ROWS
  return rows.map((name) => {
    const row = ROWS.find((one) => one.name === name)
    if (row !== undefined) return row
    throw new Error(`there is no row ${name}; there are ${ROWS.map((one) => one.name).join(', ')}`)
  })
}

function write(row: Row, section: string, { plot }: RowResult): void {
  const old = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : ''
  writeFileSync(RESULTS, reportWith(old, new Map([[row.name, section]]), ROWS))
  if (plot === undefined) return
  mkdirSync(PLOTS, { recursive: true })
  writeFileSync(new URL(`${row.name}.svg`, PLOTS), plot)
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000)
}

try {
  await main(optionsFrom(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`\n${USAGE}`)
  process.exit(1)
}
