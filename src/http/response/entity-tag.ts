import { hash } from 'node:crypto'
import type { Coding } from './content-coding.ts'

/** 128 bits in base64url. */
const TAG_CHARACTERS = 22
/** What a content coding adds to a strong tag. */
const SUFFIX = /^-(?:br|gzip|zstd)$/
/** One entry of `If-None-Match` (RFC 9110, section 8.8.3). */
const ENTRY = /(?:W\/)?"([^"]*)"/g

/**
 * The opaque part of the entity tag of an answer: of its body before any content coding, so that two answers have the
 * same one only where they are the same.
 */
export function tagOf(body: string | Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, TAG_CHARACTERS)
}

/**
 * The value of `ETag`. A strong one tells content codings apart, for their bytes differ (RFC 9110, section 8.8.3.3).
 * @param tag as `tagOf` makes it
 */
export function entityTag(tag: string, kind: 'strong' | 'weak', coding: Coding | undefined): string {
  if (kind === 'weak') return `W/"${tag}"`
  return coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`
}

/**
 * Whether the value of `If-None-Match` names what has this tag, whatever content coding it came with (RFC 9110, section
 * 13.1.2).
 */
export function namesTag(condition: string, tag: string): boolean {
  if (condition.trim() === '*') return true
  for (const [, opaque] of condition.matchAll(ENTRY))
    if (opaque!.startsWith(tag) && (opaque === tag || SUFFIX.test(opaque!.slice(tag.length)))) return true
  return false
}
