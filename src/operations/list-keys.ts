import type { ControlStore, KeyRecord } from '../storage/store.ts'

/** Every key's record, ordered by name. The keys themselves are not stored. */
export function listKeys(control: ControlStore): Promise<KeyRecord[]> {
  return control.listKeys()
}
