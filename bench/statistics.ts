/** Several measurements of one thing. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { median, least: sorted[0]!, most: sorted.at(-1)! }
}

/** Ratios of what was measured in the same round, for the machine's mood is the same in both. */
export function ratioOf(above: readonly number[], below: readonly number[]): Spread {
  return spreadOf(above.map((value, round) => value / below[round]!))
}

/** `1,234 (1,200–1,300)`, with as many digits after the point as asked for. */
export function written({ median, least, most }: Spread, digits = 0): string {
  const one = (value: number): string =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${one(median)} (${one(least)}–${one(most)})`
}
