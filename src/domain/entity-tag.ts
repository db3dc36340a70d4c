import { hash } from 'node:crypto'

/** 128 bits in base64url. */
export const TAG_CHARACTERS = 22

/**
 * The opaque part of the entity tag of a body, before any content coding, so that two bodies have the same one only where
 * they are the same.
 */
export function tagOf(body: string | Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, TAG_CHARACTERS)
}
