import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { OpenIdProvider, type ProvenIdentity } from '../../src/credentials/identity-provider.ts'
import {
  answerJson,
  type HostileProvider,
  METADATA,
  metadataOf,
  startHostileProvider,
  TOKEN,
} from './hostile-provider.ts'
import { CLIENT, trustTestCertificate } from './start-provider.ts'

const REFUSED = { code: 'provider_refused' }
const AWAY = { code: 'provider_unavailable' }

describe('an OpenID provider that answers wrongly', () => {
  let hostile: HostileProvider
  let clock: { now: number }
  let failures: string[]
  let provider: OpenIdProvider

  const providerAt = (issuer: string, answerSeconds = 5): OpenIdProvider =>
    new OpenIdProvider(
      { ...CLIENT, issuer, name: 'Evil', isSignupOpen: false },
      {
        origin: 'https://db.example.org',
        now: () => clock.now,
        onFailure: (line) => failures.push(line),
        onRefusal: (line) => failures.push(line),
        answerSeconds,
      },
    )
  /** Begins and finishes with the ID token that is made for the nonce. */
  const finish = async (
    idToken: (nonce: string) => string | Promise<string>,
    { isConfirming = false, iss }: { isConfirming?: boolean; iss?: string } = {},
  ): Promise<ProvenIdentity> => {
    const { checks } = await provider.begin({ isConfirming })
    hostile.idToken = await idToken(checks.nonce)
    const answer = { code: 'c', state: checks.state, ...(iss !== undefined && { iss }) }
    return provider.finish(answer, { checks, isConfirming, address: '192.0.2.7' })
  }

  before(async () => {
    await trustTestCertificate()
    hostile = await startHostileProvider(CLIENT.clientId)
  })
  after(() => hostile.close())
  beforeEach(() => {
    clock = { now: 0 }
    failures = []
    hostile.answers.clear()
    hostile.asked.clear()
    provider = providerAt(hostile.issuer)
  })

  it('is believed where its ID token is signed, for this client, and fresh', async () => {
    const { issuer, subject } = await finish((nonce) => hostile.sign(nonce))
    assert.deepEqual([issuer, subject, failures], [hostile.issuer, 'ada', []])
  })

  it('is refused for an ID token of another client, issuer or nonce, one that has ended, or whose subject is none', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600
    for (const change of [
      { aud: 'another' },
      { aud: [CLIENT.clientId, 'another'], azp: 'another' },
      { iss: 'https://login.example.org' },
      { nonce: 'another' },
      { exp: past },
      { sub: '' },
      { sub: 'é' },
      { sub: 'a'.repeat(256) },
    ])
      await assert.rejects(
        finish((nonce) => hostile.sign(nonce, change)),
        REFUSED,
        JSON.stringify(change),
      )
  })

  it('is refused for an ID token without a signature, or signed by somebody else', async () => {
    await assert.rejects(
      finish((nonce) => hostile.unsigned(nonce)),
      REFUSED,
    )
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await assert.rejects(
      finish((nonce) => hostile.sign(nonce, {}, privateKey)),
      REFUSED,
    )
    await assert.rejects(
      finish(() => 'no.token.'),
      AWAY,
    )
    assert.match(failures[0]!, /^an answer of Evil to a sign-in was refused: "/)
  })

  it('confirms nothing by a password that was given a while ago, or where it does not say when', async () => {
    const at = (auth_time: number | undefined) =>
      finish((nonce) => hostile.sign(nonce, { auth_time }), { isConfirming: true })
    const now = Math.floor(Date.now() / 1000)
    await at(now - 50)
    await assert.rejects(at(now - 120), REFUSED)
    await assert.rejects(at(undefined), {
      ...REFUSED,
      message: /^Evil doesn't say when .* a passkey or a password/,
    })
    const { authenticatedAt } = await at(now - 0.0004)
    assert.equal(authenticatedAt, now * 1000 - 1)
  })

  it('is believed that an address is verified where it says so, and not where it says anything else', async () => {
    for (const [email_verified, isEmailVerified] of [
      ...([
        [true, true],
        ['true', true],
        [undefined, undefined],
      ] as const),
      ...[false, 'false', 0, 1, null, '', {}].map((other) => [other, false] as const),
    ]) {
      const change = { email: 'ada@example.org', email_verified }
      const { profile } = await finish((nonce) => hostile.sign(nonce, change))
      assert.equal((await profile()).isEmailVerified, isEmailVerified, JSON.stringify(change))
    }
  })

  it('is refused where the answer names another issuer, or none and the provider always does', async () => {
    await assert.rejects(
      finish((nonce) => hostile.sign(nonce), { iss: 'https://login.example.org' }),
      REFUSED,
    )
    const metadata = { ...metadataOf(hostile.issuer), authorization_response_iss_parameter_supported: true }
    hostile.answers.set(METADATA, (response) => answerJson(response, metadata))
    provider = providerAt(hostile.issuer)
    await assert.rejects(
      finish((nonce) => hostile.sign(nonce)),
      REFUSED,
    )
    await finish((nonce) => hostile.sign(nonce), { iss: hostile.issuer })
  })

  it('is away where it says to be another, answers with an error, with no JSON, without end or elsewhere', async () => {
    const other = metadataOf('https://login.example.org')
    const cases: [string, RegExp, Parameters<typeof hostile.answers.set>[1]][] = [
      [METADATA, /issuer does not match/, (response) => answerJson(response, other)],
      [
        METADATA,
        /calls itself https:\/\/localhost:\d+\/: give that/,
        (response) => answerJson(response, metadataOf(`${hostile.issuer}/`)),
      ],
      [METADATA, /status code/, (response) => response.writeHead(500).end()],
      [
        METADATA,
        /status code/,
        (response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
      ],
      [METADATA, /content-type/, (response) => response.end('<!doctype html>')],
      [METADATA, /more than 1048576 bytes/, (response) => answerJson(response, 'a'.repeat(2 ** 21))],
      [TOKEN, /\(invalid_client\)/, (response) => answerJson(response, { error: 'invalid_client' }, 401)],
      [
        TOKEN,
        /\(invalid_client\)/,
        (response) => {
          response.setHeader('WWW-Authenticate', 'Basic realm="r", error="invalid_client"')
          answerJson(response, { error: 'invalid_client' }, 401)
        },
      ],
      [TOKEN, /more than 1048576 bytes/, (response) => answerJson(response, 'a'.repeat(2 ** 21))],
      [TOKEN, /fetch failed/, (response) => response.destroy()],
    ]
    for (const [path, reason, answer] of cases) {
      failures = []
      provider = providerAt(hostile.issuer)
      hostile.answers.clear()
      hostile.answers.set(path, answer)
      await assert.rejects(
        finish((nonce) => hostile.sign(nonce)),
        AWAY,
      )
      assert.match(failures.join('\n'), reason)
    }
  })

  it('is asked what it is once by all, once an hour, and again five seconds after a failure', async () => {
    const asked = () => hostile.asked.get(METADATA)
    await Promise.all([1, 2, 3].map(() => provider.begin({ isConfirming: false })))
    assert.equal(asked(), 1)
    clock.now += 60 * 60 * 1000
    hostile.answers.set(METADATA, (response) => response.writeHead(503).end())
    for (const _ of [1, 2]) await assert.rejects(provider.begin({ isConfirming: false }), AWAY)
    assert.equal(asked(), 2)
    clock.now += 5_000
    hostile.answers.clear()
    await provider.begin({ isConfirming: false })
    assert.equal(asked(), 3)
  })

  it('is given up where it does not answer', async () => {
    hostile.answers.set(METADATA, () => undefined)
    provider = providerAt(hostile.issuer, 0.2)
    await assert.rejects(provider.begin({ isConfirming: false }), AWAY)
    assert.match(failures[0]!, /timed out/)
  })
})
