import type { AppRecord, ControlStore } from '../storage/store.ts'

/** Every app, ordered by slug. For the account's side; a request sees only the apps of its key. */
export function listAppRecords(control: ControlStore): Promise<AppRecord[]> {
  return control.listApps()
}
