import assert from 'node:assert/strict'
import { generateApiKey, hashApiKey } from '../src/credentials/api-key.ts'
import {
  type Authenticator,
  type AuthenticatorDependencies,
  type Credentials,
  createAuthenticator,
} from '../src/credentials/authenticate.ts'
import { type KeyRules, UNLIMITED } from '../src/domain/key-rules.ts'
import type { Principal } from '../src/domain/principal.ts'
import type { Directory, KeyRecord, TokenSecret } from '../src/storage/store.ts'

export const NOW = Date.UTC(2026, 0, 1)
export const TEN_DAYS_MS = 864_000_000
export const ADA: Principal = { keyId: 'id-ada', name: 'ada', owner: null, rules: UNLIMITED }
export const BOB: Principal = {
  keyId: 'id-bob',
  name: 'bob',
  owner: 'account-bob',
  rules: { ...UNLIMITED, apps: ['shop'] },
}
export const SECRET: TokenSecret = { kid: 'secret-1', secret: new Uint8Array(32).fill(1), until: null }
export const NEXT_SECRET: TokenSecret = { kid: 'secret-2', secret: new Uint8Array(32).fill(2), until: null }

export interface House {
  authenticator: Authenticator
  adaKey: string
  bobKey: string
  clock: { now: number }
  /** Replaces the directory, as a change by anybody does. */
  change(keys: readonly KeyRecord[], secrets?: readonly TokenSecret[]): void
  token(key: string): Promise<string>
  ada: KeyRecord
  bob: KeyRecord
}

/** @param options as `createAuthenticator` takes them */
export function house(
  options: Pick<AuthenticatorDependencies, 'refreshDirectory' | 'rememberedTokens'> = {},
): House {
  const adaKey = generateApiKey()
  const bobKey = generateApiKey()
  const ada = recordOf(ADA, adaKey)
  const bob = recordOf(BOB, bobKey)
  const clock = { now: NOW }
  let directory = directoryOf([ada, bob])
  const authenticator = createAuthenticator({
    directory: () => directory,
    now: () => clock.now,
    ...options,
  })
  const change: House['change'] = (keys, secrets) => {
    directory = directoryOf(keys, secrets)
  }
  const token = async (key: string) => authenticator.createToken(await authenticator.authenticateKey(key))
  return { authenticator, adaKey, bobKey, clock, change, token, ada, bob }
}

export function recordOf({ keyId, name, owner, rules }: Principal, key: string): KeyRecord {
  const secrets = [{ hash: hashApiKey(key), until: null }]
  return { id: keyId, name, owner, rules, secrets, createdAt: NOW, lastUsedAt: null }
}

export function withRules(record: KeyRecord, rules: Partial<KeyRules>): KeyRecord {
  return { ...record, rules: { ...record.rules, ...rules } }
}

function directoryOf(keys: readonly KeyRecord[], tokenSecrets: readonly TokenSecret[] = [SECRET]): Directory {
  const entries = keys.flatMap((key) => key.secrets.map(({ hash }) => [hash, key] as const))
  return {
    apps: new Map(),
    keysByHash: new Map(entries),
    keysById: new Map(keys.map((key) => [key.id, key])),
    sites: new Map(),
    damages: [],
    tokenSecrets,
  }
}

/** Checks the code, at once or later, and that the message gives nothing of the credential away. */
export async function isRefused(
  { authenticator }: House,
  credentials: Credentials,
  code: 'missing_credentials' | 'invalid_credentials' = 'invalid_credentials',
): Promise<void> {
  await assert.rejects(
    async () => authenticator.authenticate(credentials),
    (error: Error & { code: string }) => {
      assert.equal(error.code, code)
      assert.match(error.message, /X-Service-API-Key.*Authorization: Bearer/)
      for (const text of Object.values(credentials))
        for (const part of String(text).match(/[\w-]{12,}/g) ?? [])
          assert.ok(
            !`${error.message}${error.stack}`.includes(part),
            'a part of the credential in the message',
          )
      return true
    },
  )
}
