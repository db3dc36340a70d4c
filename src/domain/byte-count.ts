const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const FORMATS = UNITS.map(
  (unit) =>
    new Intl.NumberFormat('en', {
      ...{ style: 'unit', unit, maximumSignificantDigits: 3 },
      unitDisplay: unit === 'byte' ? 'long' : 'short',
    }),
)

/** Such as `470 MB`, to three digits, as the dashboard has it: a unit is 1,000 of the one before. */
export function byteCount(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return FORMATS[power]!.format(bytes / 1000 ** power)
}
