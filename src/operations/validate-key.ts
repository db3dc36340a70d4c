import type { Principal } from '../domain/principal.ts'

export interface KeyDescription {
  readonly valid: true
  readonly key: Principal
}

/** What a client may know about the key behind its credential. */
export function validateKey({ name, permission, apps }: Principal): KeyDescription {
  return { valid: true, key: { name, permission, apps } }
}
