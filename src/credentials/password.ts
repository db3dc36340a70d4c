import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { networkOf } from '../domain/network.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { formatPasswordHash, type HashCost, parsePasswordHash } from './password-hash.ts'

/** Bytes of UTF-8 that a password may have. SP 800-63B of NIST asks for 64 characters at least. */
export const PASSWORD_BYTES = 1024

/** The first choice for Argon2id in OWASP's "Password Storage Cheat Sheet": about 50 ms of one core. */
const COST: HashCost = { memoryKiB: 19_456, passes: 2, lanes: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Passwords that wait for each one that is being hashed: some three seconds of waiting. */
const WAITING_FOR_EACH = 64
/** Spaces other than the one on the space bar. */
const OTHER_SPACES = /\p{Zs}/gu

const derive = promisify(argon2)

export interface Passwords {
  /**
   * The text to keep, each time another one. The password has to keep to `passwordProblem`.
   * @param address for whom it is done: the networks of those take turns
   * @throws AppError `overloaded`
   */
  hash(password: string, address?: string): Promise<string>
  /**
   * Whether that is the password of which the text was kept. Without one, for there is no such account, it answers no,
   * and takes as long; so it does for a text that can't be read. A password that can't be one costs nothing.
   * @throws AppError `overloaded`
   */
  verify(password: string, kept: string | undefined, address?: string): Promise<boolean>
}

/**
 * Hashes passwords by Argon2id on Node's thread pool, at most half as many at once as there are cores, so that a flood
 * of sign-ins leaves the others to requests; networks take turns, so that one of them keeps nobody else out. That bound holds for one object of these: a process should have one.
 */
export function createPasswords({ cores }: { cores: number }): Passwords {
  const atOnce = Math.max(1, Math.floor(cores / 2))
  const limited = createConcurrencyLimit({ atOnce, mostWaiting: WAITING_FOR_EACH * atOnce })
  return {
    async hash(password, address = '') {
      const salt = randomBytes(SALT_BYTES)
      const how = { ...COST, salt, tagBytes: TAG_BYTES }
      const tag = await limited(() => tagOf(password, how), networkOf(address))
      return formatPasswordHash({ ...COST, salt, tag })
    },
    async verify(password, kept, address = '') {
      if (!mayBePassword(password)) return false
      const known = kept === undefined ? undefined : parsePasswordHash(kept)
      const { tag, ...how } = known ?? { ...COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }
      const given = await limited(() => tagOf(password, { ...how, tagBytes: tag.length }), networkOf(address))
      return timingSafeEqual(tag, given)
    },
  }
}

/** Whether a text that was kept costs another effort than today's, or can't be read: to be made anew at a sign-in. */
export function needsRehash(kept: string): boolean {
  const hash = parsePasswordHash(kept)
  if (hash === undefined) return true
  const isAsDear =
    hash.memoryKiB === COST.memoryKiB && hash.passes === COST.passes && hash.lanes === COST.lanes
  return !isAsDear || hash.salt.length < SALT_BYTES || hash.tag.length < TAG_BYTES
}

/** Whether a text is neither longer than a password may be nor has lone surrogates, which UTF-8 can't tell apart. */
export function mayBePassword(text: string): boolean {
  // No text has more UTF-16 code units than bytes of UTF-8: a huge one is not even gone through.
  return text.length <= PASSWORD_BYTES && text.isWellFormed() && Buffer.byteLength(text) <= PASSWORD_BYTES
}

/**
 * The password as OpaqueString (RFC 8265, section 4.2) writes it, so that it is the same from every keyboard: every
 * space is U+0020, and it is in normalization form C. The compatibility forms would make different characters one, and
 * letter case and spaces at the ends are left as they are.
 */
export function canonicalPassword(password: string): string {
  return password.replace(OTHER_SPACES, ' ').normalize('NFC')
}

function tagOf(
  password: string,
  { memoryKiB, passes, lanes, salt, tagBytes }: HashCost & { salt: Buffer; tagBytes: number },
): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(canonicalPassword(password)),
    nonce: salt,
    memory: memoryKiB,
    passes,
    parallelism: lanes,
    tagLength: tagBytes,
  })
}
