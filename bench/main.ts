import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Kit } from './kit.ts'
import { chooseGenerator } from './load/load.ts'
import { describeMachine } from './machine.ts'
import { type Options, optionsFrom, USAGE } from './options.ts'
import { reportWith, sectionOf } from './report.ts'
import type { Row } from './row.ts'
import { ROWS } from './rows.ts'

const RESULTS = new URL('./RESULTS.md', import.meta.url)

/** Runs the rows that were asked for, and writes what came of them. */
async function main(options: Options): Promise<void> {
  const rows = chosen(options)
  const kit = new Kit(options.folder)
  const generator = await chooseGenerator(kit, options.load)
  const machine = await describeMachine(kit, options)
  const { rounds, seconds } = options
  const conditions = [
    `${new Date().toISOString().slice(0, 10)}. ${machine}. ${rounds} rounds of ${seconds} s, load by ${generator.name}.`,
  ]
  console.log(conditions.join('\n'))
  for (const row of rows) {
    console.log(`${row.name}: ${row.title}`)
    const result = await row.run({ kit, generator, options, log: console.log })
    const section = sectionOf(row, result, conditions)
    console.log(`\n${section}\n`)
    // After each row, so that a failure in a later one loses nothing.
    if (options.write) write(new Map([[row.name, section]]))
  }
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

function write(sections: ReadonlyMap<string, string>): void {
  const old = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : ''
  writeFileSync(RESULTS, reportWith(old, sections, ROWS))
}

try {
  await main(optionsFrom(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`\n${USAGE}`)
  process.exit(1)
}
