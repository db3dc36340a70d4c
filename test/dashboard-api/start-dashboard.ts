import { availableParallelism } from 'node:os'
import { createPasswords } from '../../src/credentials/password.ts'
import { generateAccountToken, generateSecret, hashSecret } from '../../src/credentials/secret.ts'
import type { TokenPermission } from '../../src/domain/token-permissions.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import type { Environment } from '../cli/run-sheaf.ts'
import { Client } from '../server/client.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'

export const PASSWORD = 'weaving numbers 1843'
const FROM = { address: '127.0.0.1', userAgent: 'a browser' }
const DAY_MS = 24 * 60 * 60 * 1000

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: string | Buffer
}

export interface DashboardAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as it is.
  readonly json: any
}

/** How somebody is let in, or not: the headers that a request carries. */
export type Credential = Readonly<Record<string, string>>

/** A running server with accounts, reached as a browser's page reaches it. */
export class Dashboard {
  readonly server: ServerProcess
  /** The accounts of its folder, from beside it. */
  readonly accounts: AccountStore
  private client: Client
  private passwordHash: string | undefined

  private constructor(server: ServerProcess, accounts: AccountStore) {
    this.server = server
    this.accounts = accounts
    this.client = new Client({ port: server.port, ca: server.ca })
  }

  static async start(env: Environment = {}): Promise<Dashboard> {
    const server = await startServer({ env })
    return new Dashboard(server, await openAccounts({ dataDir: server.folder }))
  }

  /** Sends from another address of this machine from then on, such as `127.0.0.2`. */
  from(localAddress: string): void {
    this.client.close()
    this.client = new Client({ port: this.server.port, ca: this.server.ca, localAddress })
  }

  /** As a page of the dashboard sends it. */
  async send(
    method: string,
    path: string,
    credential: Credential = {},
    { headers = {}, json, body }: Sent = {},
  ): Promise<DashboardAnswer> {
    const sent = json === undefined ? body : JSON.stringify(json)
    const all = {
      'Sec-Fetch-Site': 'same-origin',
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...credential,
      ...headers,
    }
    const answer = await this.client.send(method, `/_/api${path}`, {
      headers: all,
      ...(sent !== undefined && { body: sent }),
    })
    const isJson = answer.headers['content-type'] === 'application/json'
    return { ...answer, json: isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined }
  }

  async account(email: string, more: { name?: string; isOperator?: boolean } = {}): Promise<AccountRecord> {
    this.passwordHash ??= await createPasswords({ cores: availableParallelism() }).hash(PASSWORD)
    const { name = email, isOperator = false } = more
    return this.accounts.createAccount({ email, name, password: this.passwordHash, isOperator }, 'test')
  }

  /** A session of an account that began a while ago, without a sign-in. */
  async session(account: AccountRecord, { ageMs = 0 } = {}): Promise<Credential> {
    const secret = generateSecret()
    const session = { account: account.id, way: 'password', hash: hashSecret(secret), ...FROM } as const
    if (ageMs === 0) await this.accounts.createSession(session)
    else {
      const { folder: dataDir } = this.server
      const earlier = await openAccounts({ dataDir, now: () => Date.now() - ageMs })
      await earlier.createSession(session)
      await earlier.close()
    }
    return { Cookie: `__Host-sheaf-session=${secret}` }
  }

  async token(account: AccountRecord, permissions: readonly TokenPermission[]): Promise<Credential> {
    const token = generateAccountToken()
    const kept = { account: account.id, name: token.slice(-20), hash: hashSecret(token), permissions }
    await this.accounts.createToken({ ...kept, expiresAt: Date.now() + DAY_MS }, 'test')
    return { Authorization: `Bearer ${token}` }
  }

  async close(): Promise<void> {
    this.client.close()
    await this.accounts.close()
    await this.server.dispose()
  }
}

/** What an answer gives a browser to keep, as the browser sends it back. */
export function cookieOf({ headers }: DashboardAnswer): Credential {
  const [given = ''] = [headers['set-cookie'] ?? ''].flat()
  return { Cookie: given.split(';', 1)[0]! }
}
