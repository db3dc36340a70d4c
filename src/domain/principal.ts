/** Who is asking: the key behind a credential, and what its rules let it do. */
export interface Principal {
  /** The key's name, as its owner chose it. */
  readonly name: string
  readonly permission: 'full'
  /** The slugs that the key is limited to, or `all`. */
  readonly apps: 'all' | readonly string[]
}
