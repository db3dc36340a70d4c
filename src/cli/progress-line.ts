const BAR_CHARACTERS = 30
const MIB = 1024 * 1024

/** How much of a file was read, in bytes: a bar where its length is known. */
export function progressLine({
  read,
  length,
}: {
  readonly read: number
  readonly length: number | undefined
}): string {
  const mebibytes = (read / MIB).toFixed(1)
  if (length === undefined || length === 0) return `${mebibytes} MiB read`
  const share = Math.min(1, read / length)
  const bar = '#'.repeat(Math.floor(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '.')
  const state = share === 1 ? 'saving' : `${mebibytes} of ${(length / MIB).toFixed(1)} MiB`
  return `[${bar}] ${Math.floor(share * 100)} %, ${state}`
}
