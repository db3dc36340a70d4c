import { randomBytes } from 'node:crypto'
import { hashSecret } from './secret.ts'

const CODES = 10
/** Crockford's base 32 in lower case: 5 bits a character and nothing that is misread for something else. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 120 bits: from 112 on SP 800-63B of NIST (look-up secrets) lets them be kept by a fast hash without a salt. */
const CHARACTERS = 24
const GROUP = /.{6}(?!$)/g
const FORM = /^[0-9a-hjkmnp-tv-z]{24}$/
/** Longer than a code is written with whatever between its characters. */
const MOST_TYPED = 100

/** Ten new codes, in groups of six characters. They are shown once; what is kept is `hashRecoveryCode` of each. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, generateCode)
}

/** The same, with what is kept of them. */
export function createRecoveryCodes(): { readonly codes: string[]; readonly hashes: string[] } {
  const codes = generateRecoveryCodes()
  return { codes, hashes: codes.map((code) => hashRecoveryCode(code)!) }
}

/**
 * What is kept of a code, and looked for when one is typed: letter case, spaces and hyphens don't matter, nor O for 0,
 * and I and L for 1. Undefined for what can't be a code.
 */
export function hashRecoveryCode(typed: string): string | undefined {
  if (typed.length > MOST_TYPED) return undefined
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return FORM.test(code) ? hashSecret(code) : undefined
}

function generateCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte & 31])
  return characters.join('').replace(GROUP, '$&-')
}
