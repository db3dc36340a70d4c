import { hashApiKey } from '../../src/credentials/api-key.ts'
import { type KeyRules, UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AppRecord, Directory, KeyRecord, TokenSecret } from '../../src/storage/store.ts'

/** 2025-01-02T03:04:05.678Z, at which the test server's clock stands still. */
export const NOW = 1_735_787_045_678

/** What the test server's tokens are signed with. */
export const TOKEN_SECRET: TokenSecret = { kid: 'first', secret: Buffer.alloc(32, 7), until: null }

/** A key that the test server knows, and its rules where they differ from those of a key without any. */
export interface TestKey {
  readonly keyId: string
  readonly name: string
  readonly apiKey: string
  readonly rules: Partial<KeyRules>
}

/** What a server knows of these keys and apps. */
export function directoryOf(keys: readonly TestKey[], apps: readonly AppRecord[]): Directory {
  const records = keys.map(keyRecord)
  return {
    apps: new Map(apps.map((app) => [app.slug, app])),
    keysByHash: new Map(records.map((record) => [record.secrets[0]!.hash, record])),
    keysById: new Map(records.map((record) => [record.id, record])),
    sites: new Map(),
    damages: [],
    tokenSecrets: [TOKEN_SECRET],
  }
}

function keyRecord({ keyId: id, name, apiKey, rules }: TestKey): KeyRecord {
  const secrets = [{ hash: hashApiKey(apiKey), until: null }]
  return {
    id,
    name,
    owner: null,
    rules: { ...UNLIMITED, ...rules },
    secrets,
    createdAt: NOW,
    lastUsedAt: null,
  }
}
