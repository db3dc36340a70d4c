import type { Row, RowResult } from './row.ts'

const INTRODUCTION = `# Results

Written by \`npm run bench\`; \`npm run bench -- ROW\` renews one row. Machines like this one are shared and noisy, so
what counts are the ratios: all lines of a table were measured in turn, round after round, and the ratio of the first
line to another is taken inside each round. A figure is the median of all rounds, with the least and the most behind
it. CPU is the processor time of all threads of a server, from \`/proc/PID/stat\`, without the load generator's.
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
    ...conditions.map((condition) => `<sub>${condition}</sub>`),
  ].join('\n')
}

/** The whole file, with new sections in the place of older ones; rows that are no more are left out. */
export function reportWith(old: string, sections: ReadonlyMap<string, string>, rows: readonly Row[]): string {
  const all = rows.map(({ name }) => {
    const begin = beginMark(name)
    const before = old.indexOf(begin)
    const kept = before < 0 ? undefined : old.slice(before + begin.length, old.indexOf(END, before)).trim()
    const section = sections.get(name) ?? kept
    return section === undefined ? '' : `\n${begin}\n${section}\n${END}\n`
  })
  return INTRODUCTION + all.join('')
}

function beginMark(name: string): string {
  return `<!-- row ${name} -->`
}

const END = '<!-- end of row -->'
