import type { ControlStore } from '../storage/store.ts'

/** Ends a key at once, and every token made from it. @throws AppError `key_not_found` */
export function revokeKey(control: ControlStore, name: string): Promise<void> {
  return control.revokeKey(name)
}
