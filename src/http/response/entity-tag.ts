import { TAG_CHARACTERS } from '../../domain/entity-tag.ts'
import type { Coding } from './content-coding.ts'

/** What a content coding adds to a strong tag. */
const SUFFIX = /^-(?:br|gzip|zstd)$/
/** One entry of `If-None-Match` (RFC 9110, section 8.8.3). */
const ENTRY = /(?:W\/)?"([^"]*)"/g

export { tagOf } from '../../domain/entity-tag.ts'

/**
 * The value of `ETag`. A strong one tells content codings apart, for their bytes differ (RFC 9110, section 8.8.3.3).
 * @param tag as `tagOf` makes it
 */
export function entityTag(tag: string, kind: 'strong' | 'weak', coding: Coding | undefined): string {
  if (kind === 'weak') return `W/"${tag}"`
  return coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`
}

/** What a strong tag's opaque part begins with, whatever content coding it came with; others are as they are. */
export function opaquePart(opaque: string): string {
  return SUFFIX.test(opaque.slice(TAG_CHARACTERS)) ? opaque.slice(0, TAG_CHARACTERS) : opaque
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
