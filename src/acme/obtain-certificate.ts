import { AcmeError, isRecord, problemError } from './acme-error.ts'
import { ACME_LIMITS } from './acme-limits.ts'
import type { AcmeResponse, AcmeSession } from './acme-session.ts'
import { certificateRequest } from './certificate-request.ts'
import type { ChallengeResponder } from './challenge-responder.ts'
import { type StoredCertificate, storedCertificate } from './stored-certificate.ts'

/**
 * One order, from its placing to the certificate (RFC 8555, section 7.1).
 * @throws AcmeError when the authority refuses, or can't be satisfied in time
 */
export async function obtainCertificate(options: {
  readonly session: AcmeSession
  readonly responder: ChallengeResponder
  readonly domains: readonly string[]
  readonly now: number
  /** Told before the authority is asked to sign; when it throws, the authority isn't. */
  readonly beforeIssue: () => void
}): Promise<StoredCertificate> {
  const { session, responder, domains } = options
  await session.open()
  const identifiers = domains.map((value) => ({ type: 'dns', value }))
  const placed = await session.post(session.resource('newOrder'), { identifiers })
  const order = placed.headers.get('location')
  if (order === null) throw new AcmeError('the authority answered with no address for the order')
  for (const url of authorizationsOf(placed)) await authorize(session, responder, url)
  const ready = await settle(session, order, ['pending'])
  if (ready.body.status !== 'ready') throw orderError(ready)
  const { key, csr } = await certificateRequest(domains)
  options.beforeIssue()
  await session.post(textOf(ready, 'finalize'), { csr })
  const issued = await settle(session, order, ['ready', 'processing'])
  if (issued.body.status !== 'valid') throw orderError(issued)
  const { text: cert } = await session.post(textOf(issued, 'certificate'))
  return checked({ cert, key }, options)
}

function authorizationsOf(order: AcmeResponse): readonly string[] {
  const { authorizations } = order.body
  if (!Array.isArray(authorizations) || authorizations.length > ACME_LIMITS.authorizations)
    throw new AcmeError('the authority answered with an order that has no authorizations')
  return authorizations.map(String)
}

/** Lets the authority see that this server answers for one name. */
async function authorize(session: AcmeSession, responder: ChallengeResponder, url: string): Promise<void> {
  const { body } = await session.post(url)
  if (body.status === 'valid') return
  const { identifier, challenges } = body
  const name = isRecord(identifier) ? String(identifier.value) : 'a name'
  const offered = Array.isArray(challenges) ? challenges.filter(isRecord) : []
  const challenge = offered.find(({ type }) => type === 'http-01')
  if (challenge === undefined) throw new AcmeError(`the authority offers no http-01 challenge for ${name}`)
  const { token, url: address } = challenge
  if (typeof token !== 'string' || !/^[\w-]{1,256}$/.test(token) || typeof address !== 'string')
    throw new AcmeError(`the authority's challenge for ${name} has no token in base64url`)
  responder.expect(token, await session.keyAuthorization(token))
  await session.post(address, {})
  const settled = await settle(session, url, ['pending', 'processing'])
  if (settled.body.status !== 'valid') throw challengeError(name, settled)
}

/** Looks until the status is another than these. */
async function settle(session: AcmeSession, url: string, open: readonly string[]): Promise<AcmeResponse> {
  let waitedMs = 0
  for (;;) {
    const answer = await session.post(url)
    if (!open.includes(String(answer.body.status))) return answer
    if (waitedMs >= ACME_LIMITS.pollMs)
      throw new AcmeError(`the authority was not done within ${ACME_LIMITS.pollMs / 1000} seconds`)
    const asked = session.retryAfterMs(answer) || ACME_LIMITS.pollPauseMs
    const pauseMs = Math.min(asked, ACME_LIMITS.longestPollPauseMs)
    await session.pause(pauseMs)
    waitedMs += pauseMs
  }
}

/** An authority's mistake must not take down what worked. */
function checked(
  pair: { cert: string; key: string },
  { domains, now }: { domains: readonly string[]; now: number },
): StoredCertificate {
  let certificate: StoredCertificate
  try {
    certificate = storedCertificate(pair)
  } catch (error) {
    throw new AcmeError(`the authority's certificate can't be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
  const missing = domains.find((domain) => !certificate.isFor(domain))
  if (missing !== undefined) throw new AcmeError(`the authority's certificate is not for ${missing}`)
  if (certificate.validTo <= now)
    throw new AcmeError("the authority's certificate has expired by this machine's clock")
  return certificate
}

function challengeError(name: string, { body }: AcmeResponse): AcmeError {
  const challenges = Array.isArray(body.challenges) ? body.challenges.filter(isRecord) : []
  const error = challenges.find((challenge) => challenge.error !== undefined)?.error
  return problemError(`the authority did not find this server at ${name}`, error)
}

function orderError({ body }: AcmeResponse): AcmeError {
  return problemError(`the authority's order became ${String(body.status)}`, body.error)
}

function textOf({ body }: AcmeResponse, name: string): string {
  const text = body[name]
  if (typeof text === 'string') return text
  throw new AcmeError(`the authority answered with an order that has no ${name}`)
}
