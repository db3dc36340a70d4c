import type { IncomingMessage } from 'node:http'
import {
  type Authenticator,
  type Credentials,
  isBearer,
  RefusedCredentials,
} from '../../credentials/authenticate.ts'
import type { FailureLimiter } from '../../credentials/failure-limiter.ts'
import type { KeyUses } from '../../credentials/key-uses.ts'
import type { Principal } from '../../domain/principal.ts'
import { AppError, type ErrorCode, withoutStack } from '../../errors.ts'
import type { OperationContext } from '../../operations/context.ts'
import type { ClientFacts } from '../../operations/create-admission.ts'
import type { ClientOf } from './client-address.ts'
import { CREDENTIALS, readParameters } from './parameters.ts'
import { stateOf } from './request-state.ts'
import { queryParameters, readableParts } from './request-target.ts'
import { unknownKeyHeaderHint } from './unknown-key-header.ts'

export interface AccessGuardOptions {
  readonly context: Pick<OperationContext, 'admit' | 'admitToApp' | 'countRequest' | 'serviceNames'>
  readonly authenticator: Authenticator
  readonly failures: FailureLimiter
  readonly clientOf: ClientOf
  readonly keyUses: Pick<KeyUses, 'note'>
}

const UNRECOGNISED: ReadonlySet<ErrorCode> = new Set(['missing_credentials', 'invalid_credentials'])

/** What stands before every route: who asks, from where, and whether the key's rules let that in. */
export class AccessGuard {
  private readonly options: AccessGuardOptions
  /** In the order of the configured names, as Node writes header names. */
  private readonly keyHeaders: readonly string[]

  constructor(options: AccessGuardOptions) {
    this.options = options
    this.keyHeaders = options.context.serviceNames.map((name) => `x-${name.toLowerCase()}-api-key`)
  }

  /**
   * The principal behind a request, at once where its credential is known already.
   * @throws AppError `missing_credentials`, `invalid_credentials`, `duplicate_parameter`, `too_many_failures`, and as
   * `admit` does
   */
  principalOf(request: IncomingMessage, query: string): Principal | Promise<Principal> {
    return this.recognised(request, () =>
      this.options.authenticator.authenticate(this.credentials(request, query)),
    )
  }

  /**
   * Holds the request of a principal that was let in to what the app that its path names has for all keys, and its owner to
   * what that may have in a day.
   * @param path its decoded parts
   * @throws AppError as `admitToApp` and `countRequest` do
   */
  requireAdmission(principal: Principal, request: IncomingMessage, [apps, app]: readonly string[]): void {
    if (apps !== 'apps' || app === undefined) return
    const { context, clientOf } = this.options
    context.admitToApp(principal, app, clientOf(request))
    context.countRequest(principal.owner)
  }

  /**
   * A token for whoever has the key, under the key's own rules, and who that is.
   * @throws AppError as `principalOf` does
   */
  async tokenFor(
    request: IncomingMessage,
    apiKey: string,
  ): Promise<{ readonly token: string; readonly principal: Principal }> {
    const { authenticator } = this.options
    const principal = await this.recognised(request, () => authenticator.authenticateKey(apiKey))
    return { token: await authenticator.createToken(principal), principal }
  }

  private recognised(
    request: IncomingMessage,
    recognise: () => Principal | Promise<Principal>,
  ): Principal | Promise<Principal> {
    const client = this.options.clientOf(request)
    let asking: Principal | Promise<Principal>
    try {
      asking = recognise()
    } catch (error) {
      throw this.refusal(error, client, request)
    }
    if (!(asking instanceof Promise)) return this.admitted(asking, client, request)
    return asking.then(
      (principal) => this.admitted(principal, client, request),
      (error) => {
        throw this.refusal(error, client, request)
      },
    )
  }

  private admitted(principal: Principal, client: ClientFacts, request: IncomingMessage): Principal {
    // Before the rules are asked: who was refused is what a log is read for.
    stateOf(request).keyName = principal.name
    const { context, keyUses } = this.options
    context.admit(principal, client)
    keyUses.note(principal.keyId)
    return principal
  }

  /** A request without credentials guesses nothing, and a credential that has ended has to be told so. */
  private refusal(error: unknown, client: ClientFacts, { headers }: IncomingMessage): unknown {
    if (error instanceof RefusedCredentials && error.isGuess) {
      const retryAfterSeconds = this.options.failures.fail(client.address)
      if (retryAfterSeconds !== undefined) return tooManyFailures(retryAfterSeconds)
    }
    if (!(error instanceof AppError) || !UNRECOGNISED.has(error.code)) return error
    const hint = unknownKeyHeaderHint(headers, this.keyHeaders)
    return hint === '' ? error : withoutStack(() => new AppError(error.code, error.message + hint))
  }

  private credentials({ headers }: IncomingMessage, query: string): Credentials {
    const { authorization } = headers
    for (const name of this.keyHeaders) {
      const apiKeyHeader = headers[name]
      // Node joins repeated headers into one text, which is no key.
      if (typeof apiKeyHeader === 'string') return { apiKeyHeader }
    }
    if (authorization !== undefined && isBearer(authorization)) return { authorization }
    return query === '' ? {} : queryCredentials(query)
  }
}

/**
 * A credential counts though another part of the query string can't be read: what is wrong with that is told to whoever
 * may know.
 * @throws AppError `duplicate_parameter`
 */
function queryCredentials(query: string): Credentials {
  return readParameters(queryParameters(readableParts(query)), CREDENTIALS)
}

function tooManyFailures(retryAfterSeconds: number): AppError {
  const message =
    'too many bad credentials came from your address; wait, and send an API key that exists or a valid token'
  return withoutStack(() => new AppError('too_many_failures', message, { retryAfterSeconds }))
}
