import assert from 'node:assert/strict'
import { after, afterEach, before } from 'node:test'
import type { Browser } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import type { Environment } from '../cli/run-sheaf.ts'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

/** In CSS pixels; without them a window is 1280 wide and 800 high. */
export interface Opened {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Open until the last test of the file or suite instead of the end of this one. */
  readonly stays?: boolean
}

export interface SignedIn extends Opened {
  /** Without one it is an address that no other account has. */
  readonly email?: string
  readonly name?: string
  readonly isOperator?: boolean
  /** How long ago the session began: of 11 minutes, a page asks for the password again. */
  readonly ageMs?: number
}

export interface SignedInAccount extends SignedInWindow {
  readonly account: AccountRecord
  readonly credential: Credential
}

/** One browser and one server for all tests of a file, or of a suite. */
export class ServedPages {
  browser!: Browser
  dashboard!: Dashboard
  private accounts = 0
  private readonly staying: SignedInWindow[] = []
  private ofTest: SignedInWindow[] = []

  /** A window for a session. What is thrown in it, or breaks the policy, fails the test. */
  async open(credential: Credential, { stays = false, ...screen }: Opened = {}): Promise<SignedInWindow> {
    const window = await openSignedIn(this.browser, this.dashboard, {
      credential,
      screen: { width: 1280, height: 800, ...screen },
    })
    const opened = stays ? this.staying : this.ofTest
    opened.push(window)
    return window
  }

  /** A window for a new account. */
  async signIn({ email, name, isOperator, ageMs, ...opened }: SignedIn = {}): Promise<SignedInAccount> {
    this.accounts += 1
    const account = await this.dashboard.account(email ?? `account-${this.accounts}@example.org`, {
      ...(name !== undefined && { name }),
      ...(isOperator !== undefined && { isOperator }),
    })
    const credential = await this.dashboard.session(account, ageMs === undefined ? {} : { ageMs })
    return { account, credential, ...(await this.open(credential, opened)) }
  }

  async start(env: Environment, mapped: { readonly mapped?: string }): Promise<void> {
    // First: where it has to be unpacked, the folder for temporary files is another one until it is.
    this.browser = await startBrowser(mapped)
    this.dashboard = await Dashboard.start(env)
  }

  /** Closes what the test opened, whatever became of it. */
  async endTest(): Promise<void> {
    const ended = this.ofTest
    this.ofTest = []
    const faults = [...ended, ...this.staying].flatMap((window) => window.faults)
    await Promise.all(ended.map(({ context }) => context.close()))
    assert.deepEqual(faults, [])
  }

  async stop(): Promise<void> {
    await this.browser.close()
    await this.dashboard.close()
  }
}

/**
 * Starts them before the first test of the file or suite that calls this, and ends them after its last; each takes a second
 * of the processor or two, so a file has one pair for all its suites and widths.
 * @param mapped such as `MAP db.example.com 127.0.0.1`
 */
export function servePages({
  env = {},
  ...mapped
}: {
  env?: Environment
  mapped?: string
} = {}): ServedPages {
  const pages = new ServedPages()
  before(() => pages.start(env, mapped))
  afterEach(() => pages.endTest())
  after(() => pages.stop())
  return pages
}
