import { nameOfKey } from '../credentials/key-name.ts'
import type { OwnerContext } from './context.ts'

/** Ends every token that was made from a key until now; the key itself goes on. @throws AppError `key_not_found` */
export async function endKeyTokens({ control, actor, owner }: OwnerContext, name: string): Promise<void> {
  return control.endKeyTokens({ owner, name: await nameOfKey(control, name) }, actor)
}
