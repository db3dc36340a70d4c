/** A metric as Prometheus knows it, with its samples. */
export interface MetricFamily {
  /** With the unit, and `_total` where it counts, as Prometheus' naming has it. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** Of a histogram's samples: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' }

/**
 * The text format of Prometheus, version 0.0.4. A family without samples is left out.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function exposition(families: readonly MetricFamily[]): string {
  let text = ''
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    text += `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n`
    for (const { suffix = '', labels = {}, value } of samples)
      text += `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`
  }
  return text
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.toWellFormed().replace(/[\\\n"]/g, (character) => ESCAPES[character]!)
}

function escapeText(text: string): string {
  return text.replace(/[\\\n]/g, (character) => ESCAPES[character]!)
}

/** As a bound of a bucket, too. */
export function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(value)
}
