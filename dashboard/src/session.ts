import { createContext, useContext, useSyncExternalStore } from 'react'
import { ApiError, askApi } from './api.ts'
import type { Assertion } from './passkeys.ts'
import type { ProviderAnswer, ProviderPurpose } from './provider.ts'

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
}

/** What is known of who is signed in; nothing yet at first. */
export interface SessionState {
  /** Null where nobody is. */
  readonly account?: Account | null
  /** Whether the server knows the session no more, while its page is still open. */
  readonly hasEnded?: boolean
  /** Why the server couldn't say. */
  readonly error?: Error
}

/** What signs somebody in. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string
}

export interface NewAccount extends Credentials {
  /** Of the link. */
  readonly secret: string
  readonly name: string
}

/** What has come of a provider's answer. */
interface FinishedAtProvider {
  /** Who is signed in by it, where somebody is. */
  readonly account?: Account
  /** Of what one was signed in for already. */
  readonly purpose?: ProviderPurpose
  /** Where to go on. */
  readonly to?: string
}

/** The session of this browser, for every page to see; what begins and ends it rejects with an `ApiError`. */
export class SessionStore {
  private state: SessionState = {}
  private readonly listeners = new Set<() => void>()
  /** The tabs of a browser share its cookie: each tells the others who signed in. */
  private readonly tabs = new BroadcastChannel('session')

  constructor() {
    // What another account's page shows would be done by this one.
    this.tabs.addEventListener('message', ({ data }) => {
      if (this.state.account) this.set({ account: data as Account })
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly current = (): SessionState => this.state

  /** Asks the server who is signed in. */
  async load(): Promise<void> {
    try {
      const { account } = await askApi<{ account: Account }>('/session')
      this.set({ account })
    } catch (error) {
      this.set(isSignedOut(error) ? { account: null } : { error: error as Error })
    }
  }

  signIn(credentials: Credentials): Promise<void> {
    return this.begin('/session', credentials)
  }

  /** @param assertion what an authenticator answered */
  signInByPasskey(assertion: Assertion): Promise<void> {
    return this.begin('/session/passkey', assertion)
  }

  createAccount(given: NewAccount): Promise<void> {
    return this.begin('/account', given)
  }

  /** Gives the server what the OpenID provider answered, which may sign somebody in; answers where to go on. */
  async finishAtProvider(answer: ProviderAnswer): Promise<FinishedAtProvider> {
    const done = await askApi<FinishedAtProvider>('/oidc/finish', { method: 'POST', json: answer })
    if (done.account !== undefined) this.enter(done.account)
    return done
  }

  async signOut(): Promise<void> {
    await askApi('/session', { method: 'DELETE' }).catch((error: unknown) => {
      if (!isSignedOut(error)) throw error
    })
    this.set({ account: null })
  }

  /** Changes what is given of the account, and leaves the rest. */
  async updateAccount(change: { readonly name?: string; readonly email?: string }): Promise<void> {
    const account = await askApi<Account>('/account', { method: 'PATCH', json: change })
    this.set({ ...this.state, account })
  }

  /** For what has ended the session with what it did. */
  forget(): void {
    this.set({ account: null })
  }

  /** Has the page say that its session has ended, where there was one. */
  noteEnd(): void {
    if (this.state.account) this.set({ ...this.state, hasEnded: true })
  }

  private async begin(path: string, json: unknown): Promise<void> {
    const { account } = await askApi<{ account: Account }>(path, { method: 'POST', json })
    this.enter(account)
  }

  private enter(account: Account): void {
    this.tabs.postMessage(account)
    this.set({ account })
  }

  private set(state: SessionState): void {
    this.state = state
    for (const listener of this.listeners) listener()
  }
}

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'code_required'
}

export const SessionContext = createContext<SessionStore | null>(null)

export function useSessionStore(): SessionStore {
  return useContext(SessionContext)!
}

export function useSession(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.current)
}
