import type { KeyRules } from './key-rules.ts'

/** Who is asking: the key behind a credential, and what its rules let it do now. */
export interface Principal {
  /** The key record's id. */
  readonly keyId: string
  /** The key's name, as its owner chose it. */
  readonly name: string
  readonly rules: KeyRules
}
