import type { ColumnType } from 'kysely'

/** Any 64 bits may stand in a row, which a double can't hold. */
type Int = ColumnType<bigint, number | bigint, number | bigint>
type IntOrNull = ColumnType<bigint | null, number | bigint | null, number | bigint | null>

/** Null where it is not given. */
type OptionalInt = ColumnType<bigint | null, number | bigint | null | undefined, number | bigint | null>

/** 0 where it is not given. */
type CountedInt = ColumnType<bigint, number | bigint | undefined, number | bigint>

/** The tables of accounts, the same on every database. */
export interface Tables {
  settings: { name: string; value: Uint8Array }
  apps: {
    id: string
    slug: string
    owner: string | null
    created_at: Int
    deleted_at: OptionalInt
    settings: ColumnType<string, string | undefined, string>
  }
  removed_apps: { id: string }
  keys: {
    id: string
    name: string
    owner: string | null
    rules: string
    created_at: Int
    last_used_at: OptionalInt
    token_generation: CountedInt
  }
  key_secrets: { seq: Int; key_id: string; hash: string; until: IntOrNull }
  token_secrets: { seq: Int; kid: string; secret: Uint8Array; until: IntOrNull }
  audit: {
    seq: Int
    at: Int
    actor: string
    action: string
    subject: string
    details: string
    account: string | null
    app: string | null
    address: string | null
  }
  directory_version: { version: Int }
  accounts: {
    id: string
    email: string
    folded_email: string
    name: string
    password: string
    is_operator: Int
    totp_secret: Uint8Array | null
    totp_step: IntOrNull
    preferences: string
    created_at: Int
  }
  recovery_codes: { account: string; hash: string }
  sessions: {
    id: string
    account: string
    hash: string
    created_at: Int
    seen_at: Int
    authenticated_at: Int
    address: string
    user_agent: string
  }
  account_tokens: {
    id: string
    account: string
    name: string
    hash: string
    permissions: string
    expires_at: Int
    created_at: Int
    last_used_at: IntOrNull
  }
  links: {
    hash: string
    purpose: string
    account: string | null
    email: string | null
    is_operator: Int
    until: Int
  }
  app_shares: { app: string; account: string; role: string }
  known_addresses: { account: string; address: string; last_at: Int }
  passkeys: {
    id: string
    account: string
    host: string
    name: string
    public_key: Uint8Array
    uses: Int
    transports: string
    created_at: Int
    last_used_at: OptionalInt
  }
  identities: {
    account: string
    issuer: string
    subject: string
    email: string
    created_at: Int
    last_used_at: OptionalInt
  }
  sites: {
    app: string
    live: IntOrNull
    last_version: Int
    kept: Int
    key_id: string | null
    key: string | null
  }
  deploys: {
    app: string
    version: Int
    manifest: string
    message: string
    author: string
    files: Int
    bytes: Int
    created_at: Int
  }
  site_domains: {
    app: string
    domain: string
    token: string
    created_at: Int
    verified_at: OptionalInt
  }
  traffic: { app: string; kind: string; at: Int; body: Uint8Array }
  alerts: {
    id: string
    kind: string
    subject: string
    message: string
    raised_at: Int
    ended_at: OptionalInt
  }
  account_quotas: { account: string; quota: string }
}
