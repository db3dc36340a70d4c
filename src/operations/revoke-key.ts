import type { AccountContext } from './account-context.ts'

/** Ends a key at once, and every token made from it. @throws AppError `key_not_found` */
export function revokeKey({ control, actor }: AccountContext, name: string): Promise<void> {
  return control.revokeKey(name, actor)
}
