import { nameOfKey } from '../credentials/key-name.ts'
import type { AccountContext } from './context.ts'

/** Ends a key at once, and every token made from it. @throws AppError `key_not_found` */
export async function revokeKey({ control, actor }: AccountContext, name: string): Promise<void> {
  return control.revokeKey(await nameOfKey(control, name), actor)
}
