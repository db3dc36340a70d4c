import { permissionText } from '../domain/key-rules.ts'
import type { Principal } from '../domain/principal.ts'

export interface KeyDescription {
  readonly valid: true
  readonly key: {
    readonly name: string
    /** `full`, or some of `read,create,update,delete`. */
    readonly permission: string
    readonly apps: 'all' | readonly string[]
  }
}

/** What a client may know about the key behind its credential. */
export function validateKey({ name, rules }: Principal): KeyDescription {
  return { valid: true, key: { name, permission: permissionText(rules.permission), apps: rules.apps } }
}
