import { NOT_QUIET } from './machine-load.ts'
import type { Row, RowResult } from './row.ts'

const INTRODUCTION = `# Results

Written by \`npm run bench\`; \`npm run bench -- ROW\` renews one row. Each section says on which day, on what machine and
under which load it was measured.

How to read it:

- Machines like this one are shared and noisy, so what counts are the ratios: all lines of a table were measured in
  turn, round after round, and the ratio of the first line to another is taken inside each round. A figure is the
  median of all rounds, with the least and the most behind it.
- CPU is the processor time of all threads and processes of a server, from \`/proc/PID/stat\`, without the load
  generator's. The load generator and the servers share the machine's processors.
- Every server has the same certificate, TLS 1.3 with AES-128-GCM, the same number of connections that are kept, and
  documents of the same size. Peers run with their own defaults, with an index where a row asks for one, and without
  users or rules; Sheaf checks an API key at each request. What the benchmark sets up is in \`bench/peers\` and
  \`bench/servers\`.
- Durable means: on the disk when it is acknowledged. Who isn't is marked.
- What is missed is explained in [MISSES.md](MISSES.md).
`

/** One row as a section, between marks by which a later run finds it. */
export function sectionOf(row: Row, result: RowResult, conditions: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = result.head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [
    `## ${row.title} (\`${row.name}\`)`,
    '',
    ...result.about,
    '',
    [line(result.head), line(rule), ...result.cells.map(line)].join('\n'),
    '',
    ...result.verdicts.map((verdict) => `- ${verdict}`),
    '',
    ...(result.plot === undefined ? [] : [`![${row.title}](plots/${row.name}.svg)`, '']),
    ...conditions.map((condition) => `<sub>${condition}</sub>`),
  ].join('\n')
}

/** The whole file, with new sections in the place of older ones; rows that are no more are left out. */
export function reportWith(old: string, sections: ReadonlyMap<string, string>, rows: readonly Row[]): string {
  const all = rows.flatMap((row) => {
    const begin = beginMark(row.name)
    const before = old.indexOf(begin)
    const kept = before < 0 ? undefined : old.slice(before + begin.length, old.indexOf(END, before)).trim()
    const section = sections.get(row.name) ?? kept
    return section === undefined ? [] : [{ row, section }]
  })
  const written = all.map(({ row, section }) => `\n${beginMark(row.name)}\n${section}\n${END}\n`)
  return INTRODUCTION + summaryOf(all) + written.join('')
}

/** Every verdict of every section, met or missed, in one table. */
function summaryOf(all: readonly { readonly row: Row; readonly section: string }[]): string {
  const lines = all.flatMap(({ row, section }) =>
    [...section.matchAll(/^- (.*?): (.*); the target is (.*): \*\*(met|missed)\*\*$/gm)].map(
      ([, what, figure, bound, met]) => {
        const doubt = section.includes(NOT_QUIET) ? ', but the machine was not quiet' : ''
        return `| ${row.title} | ${what} | ${figure} | ${bound} | ${met}${doubt} |`
      },
    ),
  )
  if (lines.length === 0) return ''
  return `\n| work | what | measured | target |  |\n|---|---|---:|---:|---|\n${lines.join('\n')}\n`
}

function beginMark(name: string): string {
  return `<!-- row ${name} -->`
}

const END = '<!-- end of row -->'
