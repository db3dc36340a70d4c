export interface ParsedFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: ParsedSample[]
}

export interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{((?:[^"}]|"(?:[^"\\\\\\n]|\\\\[\\\\n"])*")*)\\})? (NaN|[+-]Inf|[-+0-9.eE]+)$`,
)
const HEAD = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`)

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its rules are: each family together, with its type before its
 * samples, no sample twice, and a histogram whose buckets rise to `+Inf`, which is its count.
 * @throws Error that says which line breaks which rule
 */
export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, ParsedFamily>()
  const seen = new Set<string>()
  let help: string | undefined
  let current: ParsedFamily | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = HEAD.exec(line) ?? []
    if (word === 'HELP') help = rest
    else if (word === 'TYPE') {
      if (families.has(name)) throw new Error(`the family ${name} comes twice`)
      current = { name, type: rest, help: help ?? '', samples: [] }
      families.set(name, current)
      help = undefined
    } else {
      const sample = sampleOf(line)
      if (current === undefined || familyName(sample.name, current) !== current.name)
        throw new Error(`not under its family: ${line}`)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) throw new Error(`twice: ${line}`)
      seen.add(key)
      current.samples.push(sample)
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}

function sampleOf(line: string): ParsedSample {
  const [, name, inside = '', number = ''] = SAMPLE.exec(line) ?? []
  if (name === undefined) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < inside.length) {
    const [, label, value] = LABEL.exec(inside) ?? []
    if (label === undefined) throw new Error(`no labels: ${line}`)
    if (label in labels) throw new Error(`a label twice: ${line}`)
    labels[label] = value!.replace(/\\([\\n"])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}

function familyName(sample: string, { name, type }: ParsedFamily): string {
  return type === 'histogram' && /^_(bucket|sum|count)$/.test(sample.slice(name.length)) ? name : sample
}

function checkHistogram({ name, samples }: ParsedFamily): void {
  const bySeries = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [series, all] of bySeries) {
    const buckets = all.filter((sample) => sample.name === `${name}_bucket`)
    const count = all.find((sample) => sample.name === `${name}_count`)?.value
    const bounds = buckets.map(({ labels }) => Number(labels.le!.replace('Inf', 'Infinity')))
    const isRising = buckets.every(
      ({ value }, index) =>
        index === 0 || (value >= buckets[index - 1]!.value && bounds[index]! > bounds[index - 1]!),
    )
    if (!isRising) throw new Error(`the buckets of ${name} ${series} do not rise`)
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)!.value !== count)
      throw new Error(`the buckets of ${name} ${series} do not end with the count`)
    if (!all.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} ${series} has no sum`)
  }
}
