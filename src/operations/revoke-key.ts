import { nameOfKey } from '../credentials/key-name.ts'
import type { OwnerContext } from './context.ts'

/** Ends a key at once, and every token made from it. @throws AppError `key_not_found` */
export async function revokeKey({ control, actor, owner }: OwnerContext, name: string): Promise<void> {
  return control.revokeKey({ owner, name: await nameOfKey(control, name) }, actor)
}
