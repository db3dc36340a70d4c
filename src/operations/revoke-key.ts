import { nameOfKey } from '../credentials/key-name.ts'
import type { AccountContext } from './context.ts'

/** Ends a key at once, and every token made from it. @throws AppError `key_not_found` */
export async function revokeKey({ control, actor, owner }: AccountContext, name: string): Promise<void> {
  return control.revokeKey({ owner, name: await nameOfKey(control, name) }, actor)
}
