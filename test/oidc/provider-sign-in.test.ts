import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { OpenIdProvider, type ProviderAnswer } from '../../src/credentials/identity-provider.ts'
import { AppError } from '../../src/errors.ts'
import { beginProviderConnection } from '../../src/operations/begin-provider-connection.ts'
import { beginProviderSignIn } from '../../src/operations/begin-provider-sign-in.ts'
import type { AccountCaller, AccountsContext } from '../../src/operations/context.ts'
import { disconnectIdentity } from '../../src/operations/disconnect-identity.ts'
import { finishProviderConnection } from '../../src/operations/finish-provider-connection.ts'
import { finishProviderSignIn } from '../../src/operations/finish-provider-sign-in.ts'
import { listIdentities } from '../../src/operations/list-identities.ts'
import { signOut } from '../../src/operations/sign-out.ts'
import { FROM, openAccountContext, type TestAccountContext } from '../account-context.ts'
import { ProviderBrowser, startProvider, type TestProvider, trustTestCertificate } from './start-provider.ts'

const ORIGIN = 'https://db.example.org'
const PASSWORD_GOOD_MS = 10 * 60_000
const REFUSED = { code: 'provider_refused' }

describe('a sign-in by an OpenID provider', () => {
  let made: TestAccountContext
  let provider: TestProvider
  let context: AccountsContext
  let browser: ProviderBrowser
  const failures: string[] = []

  /** With or without leave to make accounts. */
  const contextWith = (isSignupOpen: boolean): AccountsContext => {
    const note = (line: string) => failures.push(line)
    const options = { origin: ORIGIN, now: Date.now, onFailure: note, onRefusal: note }
    const settings = { ...provider.settings, isSignupOpen }
    return made.contextWith({ origin: ORIGIN, identityProvider: new OpenIdProvider(settings, options) })
  }
  const answered = async (input: { secret?: string; to?: string } = {}) => {
    const { location, pending } = await beginProviderSignIn(context, input)
    return { pending, answer: (await browser.follow(location)) as unknown as ProviderAnswer }
  }
  const finish = (given: { answer: ProviderAnswer; pending: string }, where = context) =>
    finishProviderSignIn(where, { ...given, ...FROM })
  const connection = async (caller: AccountCaller, purpose: 'connect' | 'confirm') => {
    const { location, pending } = await beginProviderConnection(context, caller, { purpose })
    return { pending, answer: (await browser.follow(location)) as unknown as ProviderAnswer }
  }
  const connect = async (caller: AccountCaller) =>
    finishProviderConnection(context, caller, await connection(caller, 'connect'))

  before(async () => {
    await trustTestCertificate()
    made = await openAccountContext()
    made.clock.now = Date.now()
    provider = await startProvider(ORIGIN)
  })
  after(async () => {
    await provider.close()
    await made.close()
  })
  beforeEach(() => {
    context = contextWith(false)
    browser = new ProviderBrowser()
    failures.length = 0
  })

  it('lets nobody in who is connected with no account, whatever their e-mail address', async () => {
    await made.addAccount('ada')
    provider.user = { id: 'eve', email: 'ada@example.org', isEmailVerified: true }
    await assert.rejects(finish(await answered()), { code: 'identity_unknown' })
    context = contextWith(true)
    await assert.rejects(finish(await answered()), {
      code: 'account_exists',
      message:
        /^there is an account with the e-mail address ada@example\.org already: sign in to it another way/,
    })
  })

  it('lets in to the account that it was connected with, and to that alone', async () => {
    const { caller } = await made.enter('ada@example.org')
    provider.user = { id: 'ada-at-work', email: 'ada@work.example', name: 'Ada L.' }
    assert.deepEqual(await connect(caller), { purpose: 'connect', to: undefined })
    const [identity, ...others] = await listIdentities(context, caller)
    assert.deepEqual(
      [identity?.email, identity?.issuer, others],
      ['ada@work.example', provider.settings.issuer, []],
    )
    browser = new ProviderBrowser()
    const signedIn = await finish(await answered({ to: '/apps/demo' }))
    assert.deepEqual([signedIn.account.email, signedIn.to], ['ada@example.org', '/apps/demo'])
    const lines = await made.context.accounts.listAudit({ limit: 2 })
    assert.deepEqual(
      lines.map(({ action, subject, details }) => [action, subject, details]),
      [
        ['session.begin', 'ada@example.org', '{"way":"oidc"}'],
        [
          'identity.connect',
          'ada@example.org',
          `{"issuer":"${provider.settings.issuer}","email":"ada@work.example"}`,
        ],
      ],
    )
    // With another e-mail address it is still the same person.
    provider.users.set('ada-at-work', { id: 'ada-at-work', email: 'ada@other.example' })
    assert.equal((await finish(await answered())).account.email, 'ada@example.org')
    // Once more is no change, and nothing to tell of.
    const [line] = await made.context.accounts.listAudit({ limit: 1 })
    await connect(caller)
    assert.equal((await listIdentities(context, caller)).length, 1)
    assert.deepEqual(await made.context.accounts.listAudit({ limit: 1 }), [line])
    await made.addAccount('bob')
    const bob = await made.enter('bob@example.org')
    await assert.rejects(connect(bob.caller), { code: 'identity_taken' })
  })

  it('takes an answer once, from the browser that began it, with all that belongs to it', async () => {
    const { answer, pending } = await answered()
    const other = await answered()
    await assert.rejects(finish({ answer, pending: other.pending }), REFUSED)
    await assert.rejects(finish({ answer, pending: '' }), REFUSED)
    await assert.rejects(finish({ answer: { ...answer, state: 'x' }, pending }), REFUSED)
    await assert.rejects(finish({ answer: { ...answer, iss: 'https://evil.example' }, pending }), REFUSED)
    const kept = JSON.parse(Buffer.from(pending, 'base64url').toString()) as Record<string, string>
    const without = (change: object) =>
      finish({ answer, pending: Buffer.from(JSON.stringify({ ...kept, ...change })).toString('base64url') })
    // The provider ends a code that was sent with another verifier.
    await assert.rejects(without({ verifier: 'v'.repeat(43) }), REFUSED)
    const mixed = { answer: { ...(await answered()).answer, state: answer.state }, pending }
    await assert.rejects(finish(mixed), REFUSED)
    const fresh = await answered()
    await finish(fresh)
    await assert.rejects(finish(fresh), REFUSED)
  })

  it('is refused where the nonce is another one', async () => {
    const { answer, pending } = await answered()
    const kept = JSON.parse(Buffer.from(pending, 'base64url').toString()) as object
    const forged = Buffer.from(JSON.stringify({ ...kept, nonce: 'another' })).toString('base64url')
    await assert.rejects(finish({ answer, pending: forged }), REFUSED)
    assert.match(
      failures[0]!,
      /^an answer of Test & Co to a sign-in was refused: "unexpected JWT claim value/,
    )
  })

  it('is given up where the provider says so, which an operator hears nothing of', async () => {
    provider.user = undefined
    await assert.rejects(finish(await answered()), REFUSED)
    assert.deepEqual(failures, [])
  })

  it('slows down a network whose answers are wrong', async () => {
    const where = context
    const { answer, pending } = await answered()
    for (let failed = 0; failed < 100; failed++)
      await assert.rejects(finish({ answer: { ...answer, state: 'x' }, pending }, where), REFUSED)
    await assert.rejects(finish({ answer, pending }, where), { code: 'too_many_failures' })
  })

  it('slows down nobody where the provider is away', async () => {
    const away = Object.create(context.identityProvider!, {
      finish: { value: async () => Promise.reject(new AppError('provider_unavailable', 'away')) },
    })
    const where = { ...context, identityProvider: away }
    const { answer, pending } = await answered()
    for (let failed = 0; failed < 101; failed++)
      await assert.rejects(finish({ answer, pending }, where), { code: 'provider_unavailable' })
  })

  it('makes an account of whom the provider lets in, where that is allowed, and of none whose address is not sure', async () => {
    context = contextWith(true)
    provider.user = { id: 'grace', email: 'grace@example.org', isEmailVerified: false }
    await assert.rejects(finish(await answered()), { code: 'invalid_account', message: /confirm it there/ })
    browser = new ProviderBrowser()
    provider.user = { id: 'grace', email: 'grace@example.org' }
    await assert.rejects(finish(await answered()), { code: 'invalid_account', message: /for an invitation/ })
    browser = new ProviderBrowser()
    provider.user = { id: 'nobody', isEmailVerified: true }
    await assert.rejects(finish(await answered()), { code: 'invalid_account', message: /no e-mail address/ })
    browser = new ProviderBrowser()
    provider.user = {
      ...{ id: 'grace', email: 'grace@example.org', isEmailVerified: true },
      name: 'Grace\nHopper',
    }
    const { account } = await finish(await answered())
    assert.deepEqual(
      [account.email, account.name, account.isOperator],
      ['grace@example.org', 'grace@example.org', false],
    )
    assert.equal((await finish(await answered())).account.id, account.id)
    const { password } = (await context.accounts.findCredentials({ id: account.id }))!
    assert.equal(password, '')
  })

  it('makes the account of an invitation with the address of that, once', async () => {
    const secret = await made.addLink({ purpose: 'invite', email: 'lin@example.org', isOperator: false })
    provider.user = { id: 'lin', email: 'lin@home.example', name: 'Lin' }
    const given = await answered({ secret, to: 'https://evil.example' })
    const { account, purpose, to } = await finish(given)
    assert.deepEqual(
      [account.email, account.name, purpose, to],
      ['lin@example.org', 'Lin', 'link', undefined],
    )
    await assert.rejects(answered({ secret }), { code: 'invalid_link' })
    const another = await made.addLink({ purpose: 'invite', email: null, isOperator: true })
    await assert.rejects(finish(await answered({ secret: another })), { code: 'identity_taken' })
    // It is still good for whoever has no account.
    browser = new ProviderBrowser()
    provider.user = { id: 'mary', email: 'mary@example.org' }
    assert.equal((await finish(await answered({ secret: another }))).account.isOperator, true)
    const reset = await made.addLink({ purpose: 'reset', account: account.id })
    await assert.rejects(answered({ secret: reset }), { code: 'invalid_link' })
  })

  it('shows that one is who is signed in, by a password given to the provider just now and not before', async () => {
    const { caller } = await made.enter('ada@example.org')
    provider.user = { id: 'ada-at-work' }
    await finish(await answered())
    const sessions = async () => (await made.context.accounts.listSessions(caller.account.id))[0]!
    const asked = provider.asked
    const before = await sessions()
    made.clock.now += PASSWORD_GOOD_MS
    assert.deepEqual(await finishProviderConnection(context, caller, await connection(caller, 'confirm')), {
      purpose: 'confirm',
      to: undefined,
    })
    assert.equal(provider.asked, asked + 1)
    const now = (await made.context.accounts.listSessions(caller.account.id)).find(
      ({ id }) => id === caller.session!.id,
    )!
    assert.equal(now.authenticatedAt, made.clock.now)
    assert.ok(before.authenticatedAt < now.authenticatedAt)
    browser = new ProviderBrowser()
    provider.user = { id: 'grace' }
    const somebodyElse = await connection(caller, 'confirm')
    await assert.rejects(finishProviderConnection(context, caller, somebodyElse), { code: 'wrong_password' })
    // What was begun to be connected confirms nothing, and the other way round.
    const { caller: fresh } = await made.enter('bob@example.org')
    const begun = await connection(fresh, 'connect')
    await assert.rejects(finishProviderConnection(context, caller, begun), REFUSED)
    await assert.rejects(finish(begun), REFUSED)
  })

  it('connects nothing in a session that was left open, and takes nothing away', async () => {
    const { caller } = await made.enter('ada@example.org')
    const [identity] = await listIdentities(context, caller)
    const begun = await connection(caller, 'connect')
    made.clock.now += PASSWORD_GOOD_MS
    const old = { code: 'password_required' }
    await assert.rejects(connection(caller, 'connect'), old)
    await assert.rejects(finishProviderConnection(context, caller, begun), old)
    await assert.rejects(disconnectIdentity(context, caller, { id: identity!.id }), old)
  })

  it('connects nothing where the session ended meanwhile', async () => {
    const { caller } = await made.enter('bob@example.org')
    provider.user = { id: 'bob-elsewhere', email: 'bob@work.example' }
    const begun = await connection(caller, 'connect')
    await signOut(context, caller)
    await assert.rejects(finishProviderConnection(context, caller, begun), { code: 'invalid_credentials' })
    assert.deepEqual(await context.accounts.listIdentities(caller.account.id), [])
  })

  it('lets nobody in any more by what was disconnected, and keeps the last way in', async () => {
    const { caller } = await made.enter('ada@example.org')
    const [identity] = await listIdentities(context, caller)
    await assert.rejects(disconnectIdentity(context, caller, { id: 'none' }), { code: 'identity_not_found' })
    await disconnectIdentity(context, caller, { id: identity!.id })
    assert.deepEqual(await made.context.accounts.listSessions(caller.account.id), [caller.session])
    provider.user = { id: 'ada-at-work' }
    await assert.rejects(finish(await answered()), { code: 'identity_unknown' })
    const lin = await context.accounts.findAccount({ email: 'lin@example.org' })
    const session = { ...caller.session!, authenticatedAt: made.clock.now }
    const [only] = await context.accounts.listIdentities(lin!.id)
    await assert.rejects(
      disconnectIdentity(context, { kind: 'account', account: lin!, session, address: '' }, { id: only!.id }),
      { code: 'last_way_in' },
    )
  })
})
