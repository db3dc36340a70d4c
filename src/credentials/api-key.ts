import { randomBytes } from 'node:crypto'
import { hashSecret } from './secret.ts'

const PREFIX = 'shf_'
/** Crockford's base 32 in lower case: 5 bits a character and nothing that is misread for something else. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 200 random bits. */
const CHARACTERS = 40
const KEY_FORM = /^shf_[0-9a-z]{32,64}$/
/** That of all keys: those that were made elsewhere and taken over have no prefix. */
const ANY_FORM = /^[A-Za-z0-9_-]{24,128}$/

/** A new API key. It is shown to its owner once and stored nowhere; `hashApiKey` of it is. */
export function generateApiKey(): string {
  let key = PREFIX
  for (const byte of randomBytes(CHARACTERS)) key += ALPHABET[byte & 31]
  return key
}

/** What is kept of a key. */
export function hashApiKey(key: string): string {
  return hashSecret(key)
}

/** Whether a text has the form of a key that was made here. */
export function looksLikeKey(text: string): boolean {
  return KEY_FORM.test(text)
}

/** Whether a text may be an API key at all; only then is it worth a hash and a look. */
export function mayBeKey(text: string): boolean {
  return ANY_FORM.test(text)
}
