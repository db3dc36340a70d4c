import type * as OpenId from 'openid-client'
import { type IdentityProviderSettings, isSubject } from '../domain/identity-provider.ts'
import { networkOf } from '../domain/network.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { fetchBounded } from './fetch-bounded.ts'
import type { SignInChecks } from './pending-sign-in.ts'
import { isOfTheAnswer, providerRefused, reasonOf } from './provider-failures.ts'

type Client = typeof OpenId
type Configuration = OpenId.Configuration
type Opened = { readonly client: Client; readonly configuration: Configuration }

const ANSWER_SECONDS = 5
/** What the provider says of itself is asked for again after so long, and after a failure. */
const KNOWN_MS = 60 * 60 * 1000
const PAUSE_MS = 5_000
/** Answers of the provider that are looked into at once, and that wait for that. */
const AT_ONCE = 50
const MOST_WAITING = 200
/** Seconds since somebody gave a password, or whatever it takes, to the provider, by its own clock. */
const RECENT_SECONDS = 60

/** What a browser brings back from the provider. */
export interface ProviderAnswer {
  readonly code?: string | undefined
  readonly state: string
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** Who somebody was found to be. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** When the provider last asked for a password, or whatever it takes; undefined where it doesn't say. */
  readonly authenticatedAt: number | undefined
  /** What the provider says of somebody. @throws AppError `provider_unavailable` */
  profile(): Promise<ProviderProfile>
}

/** Nothing of it proves who somebody is. */
export interface ProviderProfile {
  readonly email?: string | undefined
  /** Whether the provider has seen that the address is theirs; undefined where it doesn't say. */
  readonly isEmailVerified: boolean | undefined
  readonly name?: string | undefined
}

export interface BegunSignIn {
  /** Where the browser goes. */
  readonly location: string
  /** What it keeps until it comes back. */
  readonly checks: SignInChecks
}

/** What an answer has to fit. */
export interface ExpectedAnswer {
  readonly checks: SignInChecks
  /** Whether the provider has to have asked for the password, or whatever it takes, a minute ago at most. */
  readonly isConfirming: boolean
  /** Where the request comes from. */
  readonly address: string
}

export interface IdentityProvider extends Pick<IdentityProviderSettings, 'issuer' | 'name' | 'isSignupOpen'> {
  /**
   * @param isConfirming to have the provider ask for the password anew
   * @throws AppError `provider_unavailable`
   */
  begin(options: { isConfirming: boolean }): Promise<BegunSignIn>
  /**
   * @throws AppError `provider_refused` where the answer can't be believed or was used, `provider_unavailable`, `overloaded`
   */
  finish(answer: ProviderAnswer, expected: ExpectedAnswer): Promise<ProvenIdentity>
}

export interface IdentityProviderOptions {
  /** Of the dashboard, without a slash at its end. */
  readonly origin: string
  readonly now: () => number
  /** Told, in a line, of what an operator has to mend; each time. */
  readonly onFailure: (message: string) => void
  /** The same of answers that were refused, which whoever brings them may have made. */
  readonly onRefusal: (message: string) => void
  /** For so long the provider may take to answer one request; 5 where it is left out. */
  readonly answerSeconds?: number
}

/** Signing in by an OpenID provider: the code flow with PKCE. Its library is loaded by the first sign-in. */
export class OpenIdProvider implements IdentityProvider {
  private readonly settings: IdentityProviderSettings
  private readonly redirectUri: string
  private readonly now: () => number
  private readonly onFailure: (message: string) => void
  private readonly onRefusal: (message: string) => void
  private readonly answerSeconds: number
  private readonly limited = createConcurrencyLimit({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING })
  private known: { readonly configuration: Promise<Configuration>; until: number } | undefined

  constructor(
    settings: IdentityProviderSettings,
    { origin, now, onFailure, onRefusal, answerSeconds = ANSWER_SECONDS }: IdentityProviderOptions,
  ) {
    this.settings = settings
    this.redirectUri = `${origin}/_/oidc`
    this.now = now
    this.onFailure = onFailure
    this.onRefusal = onRefusal
    this.answerSeconds = answerSeconds
  }

  get issuer(): string {
    return this.settings.issuer
  }

  get name(): string {
    return this.settings.name
  }

  get isSignupOpen(): boolean {
    return this.settings.isSignupOpen
  }

  async begin({ isConfirming }: { isConfirming: boolean }): Promise<BegunSignIn> {
    const { client, configuration } = await this.open()
    const state = client.randomState()
    const checks = { state, nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
    const location = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      ...{ state, nonce: checks.nonce },
      ...(isConfirming && { prompt: 'login', max_age: '0' }),
    })
    return { location: location.href, checks }
  }

  async finish(answer: ProviderAnswer, expected: ExpectedAnswer): Promise<ProvenIdentity> {
    if (answer.state !== expected.checks.state) throw providerRefused()
    return this.limited(async () => {
      const opened = await this.open()
      const { tokens, claims } = await this.exchange(opened, answer, expected)
      if (!isSubject(claims.sub)) throw providerRefused()
      if (expected.isConfirming) this.requireRecent(claims)
      return {
        ...{ issuer: claims.iss, subject: claims.sub },
        authenticatedAt: claims.auth_time === undefined ? undefined : Math.floor(claims.auth_time * 1000),
        profile: () => this.profile(opened, { claims, accessToken: tokens.access_token }),
      }
    }, networkOf(expected.address))
  }

  private async exchange(
    { client, configuration }: Opened,
    answer: ProviderAnswer,
    { checks }: ExpectedAnswer,
  ) {
    const url = new URL(this.redirectUri)
    for (const [parameter, value] of Object.entries(answer))
      if (value !== undefined) url.searchParams.set(parameter, value)
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
      })
      return { tokens, claims: tokens.claims()! }
    } catch (error) {
      if (!isOfTheAnswer(client, error)) throw this.unavailable(error)
      // Whoever gives up, or sends an answer again, is nothing to be mended.
      if (error instanceof client.ClientError)
        this.onRefusal(`an answer of ${this.name} to a sign-in was refused: ${reasonOf(error)}`)
      throw providerRefused(error)
    }
  }

  /**
   * Whether the password, or whatever it takes, was given to the provider just before it made the token. Its nonce is of a
   * sign-in that was begun here, and its code was not used before.
   * @throws AppError `provider_refused`
   */
  private requireRecent({ auth_time: at, iat }: OpenId.IDToken): void {
    const { name } = this
    if (at === undefined)
      throw new AppError(
        'provider_refused',
        `${name} doesn't say when it asked for your password, so that it confirms nothing here: sign out, sign in ` +
          'anew, and add a passkey or a password to your account',
      )
    if (iat - at > RECENT_SECONDS) throw providerRefused()
  }

  /** Many tell it only at an address of its own (OpenID Connect Core, section 5.4). */
  private async profile(
    { client, configuration }: Opened,
    { claims, accessToken }: { claims: OpenId.IDToken; accessToken: string },
  ): Promise<ProviderProfile> {
    if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined)
      return profileOf(claims)
    try {
      return profileOf(await client.fetchUserInfo(configuration, accessToken, claims.sub))
    } catch (error) {
      throw this.unavailable(error)
    }
  }

  private async open(): Promise<Opened> {
    const client = await import('openid-client')
    try {
      return { client, configuration: await this.discover(client) }
    } catch (error) {
      throw this.unavailable(error)
    }
  }

  /** Asked for once by all who wait for it, and not again at once where that failed. */
  private discover(client: Client): Promise<Configuration> {
    if (this.known !== undefined && this.now() < this.known.until) return this.known.configuration
    const asked = {
      configuration: discover(client, this.settings, this.answerSeconds),
      until: Number.POSITIVE_INFINITY,
    }
    this.known = asked
    asked.configuration.then(
      () => {
        asked.until = this.now() + KNOWN_MS
      },
      () => {
        asked.until = this.now() + PAUSE_MS
      },
    )
    return asked.configuration
  }

  private unavailable(error: unknown): AppError {
    const { name } = this
    this.onFailure(`sign-in by ${name} fails: ${reasonOf(error)}`)
    return new AppError(
      'provider_unavailable',
      `${name} can't be asked right now; try again later, or sign in another way`,
      { cause: error },
    )
  }
}

/** Identities are kept by the issuer: it has to be the one that the provider gives itself, to the letter. */
async function discover(
  client: Client,
  { issuer, clientId, clientSecret }: IdentityProviderSettings,
  timeout: number,
): Promise<Configuration> {
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  // What holds where the provider doesn't say (OpenID Connect Discovery, section 3).
  const authenticate: OpenId.ClientAuth = (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false ? post : basic)(
      server,
      ...rest,
    )
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, authenticate, {
    timeout,
    [client.customFetch]: fetchBounded,
    execute: [client.enableNonRepudiationChecks],
  })
  const { issuer: own } = configuration.serverMetadata()
  if (own === issuer) return configuration
  throw new Error(`the provider calls itself ${own}: give that as its issuer`)
}

/** @param claims of an ID token, or of the provider's own address for them */
function profileOf(claims: OpenId.UserInfoResponse | OpenId.IDToken): ProviderProfile {
  const { email, name } = claims
  const verified: unknown = claims.email_verified
  return {
    email: typeof email === 'string' ? email : undefined,
    // Some write it as a text.
    isEmailVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    name: typeof name === 'string' ? name : undefined,
  }
}
