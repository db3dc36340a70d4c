/** How dear Argon2 (RFC 9106) is made. */
export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

export interface PasswordHash extends HashCost {
  readonly salt: Buffer
  readonly tag: Buffer
}

/** Costs and lengths that a kept text may name: one that was tampered with must not take a machine's memory. */
const MOST_MEMORY_KIB = 65_536
const MOST_PASSES = 10
const MOST_LANES = 4
const SALT_BYTES = { least: 8, most: 64 }
const TAG_BYTES = { least: 16, most: 64 }
const MOST_CHARACTERS = 256
/** RFC 9106, section 3.1: eight blocks of 1 KiB for each lane. */
const LEAST_KIB_PER_LANE = 8

const FORM = /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9])\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A hash in PHC's string format, as every other library for Argon2 reads and writes it. */
export function formatPasswordHash({ memoryKiB, passes, lanes, salt, tag }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${toBase64(salt)}$${toBase64(tag)}`
}

/** Reads what `formatPasswordHash` writes, in that one spelling; undefined for all else, and for what costs too much. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const parts = FORM.exec(text)
  if (parts === null) return undefined
  const [memoryKiB, passes, lanes] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [salt, tag] = [fromBase64(parts[4]!), fromBase64(parts[5]!)]
  if (memoryKiB > MOST_MEMORY_KIB || passes > MOST_PASSES || lanes > MOST_LANES) return undefined
  if (memoryKiB < LEAST_KIB_PER_LANE * lanes) return undefined
  if (!hasLength(salt, SALT_BYTES) || !hasLength(tag, TAG_BYTES)) return undefined
  return { memoryKiB, passes, lanes, salt, tag }
}

function hasLength(
  bytes: Buffer | undefined,
  { least, most }: { least: number; most: number },
): bytes is Buffer {
  return bytes !== undefined && bytes.length >= least && bytes.length <= most
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return toBase64(bytes) === text ? bytes : undefined
}
