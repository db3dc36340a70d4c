import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { FROM, ORIGIN, openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { type Otherwise, SoftAuthenticator } from '../../test/soft-authenticator.ts'
import { CHALLENGE_MS } from '../credentials/challenges.ts'
import { createPasskeys } from '../credentials/passkeys.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import { beginPasskeyConfirmation } from './begin-passkey-confirmation.ts'
import { beginPasskeySignIn } from './begin-passkey-sign-in.ts'
import { changePassword } from './change-password.ts'
import { confirmByPasskey } from './confirm-by-passkey.ts'
import { confirmPassword } from './confirm-password.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { createPasskey } from './create-passkey.ts'
import { deletePasskey } from './delete-passkey.ts'
import { describeSession } from './describe-session.ts'
import { describeWaysIn } from './describe-ways-in.ts'
import { listPasskeys } from './list-passkeys.ts'
import { offerPasskey } from './offer-passkey.ts'
import { removePassword } from './remove-password.ts'
import { renamePasskey } from './rename-passkey.ts'
import { signInByPasskey } from './sign-in-by-passkey.ts'
import { signOut } from './sign-out.ts'

const NOT_GOOD = { code: 'invalid_passkey' }
const REFUSED = { code: 'invalid_credentials' }
const WRONG = { code: 'wrong_password' }
const PRESENT_ALONE = 0x01
const NEW_PASSWORD = 'seven looms, no thread'

describe('a passkey', () => {
  let test: TestAccountContext
  let context: AccountsContext
  let account: AccountRecord
  let caller: AccountCaller
  let count = 0

  before(async () => {
    test = await openAccountContext()
  })
  after(() => test.close())
  beforeEach(async () => {
    account = await test.addAccount(`ada${count++}`)
    context = test.contextWith()
    ;({ caller } = await test.enter(account.email))
  })

  /** An authenticator with a passkey of the account. */
  async function added(of = caller): Promise<SoftAuthenticator> {
    const authenticator = new SoftAuthenticator(ORIGIN)
    const made = authenticator.create(await offerPasskey(context, of))
    await createPasskey(context, of, { name: 'laptop', ...made })
    return authenticator
  }

  async function signIn(authenticator: SoftAuthenticator, otherwise: Otherwise = {}): Promise<AccountCaller> {
    const options = await beginPasskeySignIn(context, FROM)
    const { secret } = await signInByPasskey(context, { ...authenticator.get(options, otherwise), ...FROM })
    return authenticateCaller(context, { sessionSecret: secret, ...FROM })
  }

  it('signs in to its account, without a password or a code', async () => {
    const authenticator = await added()
    const entered = await signIn(authenticator)
    assert.equal(entered.account.id, account.id)
    const [kept] = await listPasskeys(context, entered)
    const { createdAt, lastUsedAt } = kept!
    assert.deepEqual([kept!.name, kept!.transports], ['laptop', ['internal', 'usb']])
    assert.deepEqual([createdAt, lastUsedAt], [test.clock.now, test.clock.now])
    assert.deepEqual((await describeSession(context, entered)).confirmBy, {
      ...{ password: true, passkeys: true, oidc: false },
    })
  })

  it('is asked for by options that want who holds it verified, and name none at a sign-in', async () => {
    const options = await beginPasskeySignIn(context, FROM)
    assert.deepEqual(
      { ...options, challenge: options.challenge.length },
      {
        ...{ challenge: 43, rpId: 'db.example.org', timeout: 300_000 },
        ...{ userVerification: 'required', allowCredentials: [] },
      },
    )
    const { id } = await added()
    const offered = await offerPasskey(context, caller)
    assert.deepEqual(
      offered.excludeCredentials.map((each) => each.id),
      [id],
    )
    assert.deepEqual([offered.attestation, offered.rp.id], ['none', 'db.example.org'])
    const confirmation = await beginPasskeyConfirmation(context, caller)
    assert.deepEqual(
      confirmation.allowCredentials.map((each) => each.id),
      [id],
    )
  })

  it('is refused at another origin or for another server, unverified, replayed, late and altered', async () => {
    const authenticator = await added()
    const wrong: Otherwise[] = [
      { origin: 'https://db.example.org' },
      { origin: 'https://evil.example.org:8443' },
      { rpId: 'example.org' },
      { flags: PRESENT_ALONE },
      { type: 'webauthn.create' },
      { challenge: 'x'.repeat(43) },
      { userHandle: Buffer.from('another account').toString('base64url') },
      { userHandle: undefined },
    ]
    for (const otherwise of wrong)
      await assert.rejects(signIn(authenticator, otherwise), REFUSED, JSON.stringify(otherwise))
    const answer = { ...authenticator.get(await beginPasskeySignIn(context, FROM)), ...FROM }
    await signInByPasskey(context, answer)
    await assert.rejects(signInByPasskey(context, answer), REFUSED)
    const late = { ...authenticator.get(await beginPasskeySignIn(context, FROM)), ...FROM }
    test.clock.now += CHALLENGE_MS
    await assert.rejects(signInByPasskey(context, late), REFUSED)
    const { signature, ...rest } = authenticator.get(await beginPasskeySignIn(context, FROM))
    const altered = signature.replace(/.(?=.{8}$)/, (last) => (last === 'A' ? 'B' : 'A'))
    await assert.rejects(signInByPasskey(context, { ...rest, signature: altered, ...FROM }), REFUSED)
    for (const junk of ['', '!', 'e30', 'bnVsbA'])
      await assert.rejects(
        signInByPasskey(context, { ...rest, signature, clientDataJSON: junk, ...FROM }),
        REFUSED,
      )
    const stranger = new SoftAuthenticator(ORIGIN)
    await assert.rejects(signIn(stranger), REFUSED)
  })

  it('is refused where its count goes back, and where two use one count', async () => {
    const authenticator = await added()
    await signIn(authenticator, { uses: 5 })
    for (const uses of [5, 4, 0]) await assert.rejects(signIn(authenticator, { uses }), REFUSED, String(uses))
    const both = [await beginPasskeySignIn(context, FROM), await beginPasskeySignIn(context, FROM)]
    const outcomes = await Promise.allSettled(
      both.map((options) =>
        signInByPasskey(context, { ...authenticator.get(options, { uses: 6 }), ...FROM }),
      ),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('is kept only where it was asked for by this account, here, verified and without a certificate', async () => {
    const mine = new SoftAuthenticator(ORIGIN)
    const create = (made: object) =>
      createPasskey(context, caller, { name: 'laptop', ...(made as ReturnType<typeof mine.create>) })
    const x5c = Buffer.from('a163783563814100', 'hex')
    const wrong = [
      { origin: 'https://evil.example.org:8443' },
      { rpId: 'example.org' },
      { flags: PRESENT_ALONE | 0x40 },
      { type: 'webauthn.get' },
      { format: 'packed', statement: x5c },
      { format: 'apple', statement: x5c },
      { format: 'tpm' },
    ]
    for (const otherwise of wrong) {
      const made = mine.create(await offerPasskey(context, caller), otherwise)
      await assert.rejects(create(made), NOT_GOOD, JSON.stringify(otherwise))
    }
    const { caller: eve } = await test.enter((await test.addAccount(`eve${count}`)).email)
    await assert.rejects(create(mine.create(await offerPasskey(context, eve))), NOT_GOOD)
    const made = mine.create(await offerPasskey(context, caller))
    await assert.rejects(create({ ...made, id: 'bXkgb3du' }), NOT_GOOD)
    const good = mine.create(await offerPasskey(context, caller))
    for (const name of ['', 'a\u0000', 'x'.repeat(121)])
      await assert.rejects(create({ ...good, name }), NOT_GOOD)
    await create(good)
    await assert.rejects(create(good), NOT_GOOD)
    const again = mine.create(await offerPasskey(context, eve))
    await assert.rejects(createPasskey(context, eve, { name: 'taken', ...again }), { code: 'passkey_exists' })
  })

  it('is not kept where the session ended while it was looked at', async () => {
    const made = new SoftAuthenticator(ORIGIN).create(await offerPasskey(context, caller))
    await signOut(context, caller)
    await assert.rejects(createPasskey(context, caller, { name: 'laptop', ...made }), REFUSED)
    assert.deepEqual(await context.accounts.listPasskeys(account.id), [])
  })

  it('confirms an act of its own account alone, in a session, by a challenge made for that', async () => {
    const authenticator = await added()
    const { caller: eve } = await test.enter((await test.addAccount(`mallory${count}`)).email)
    const eves = await added(eve)
    test.clock.now += PASSWORD_GOOD_MS
    await assert.rejects(offerPasskey(context, caller), { code: 'password_required' })
    const begin = (of = caller) => beginPasskeyConfirmation(context, of)
    await assert.rejects(confirmByPasskey(context, caller, eves.get(await begin(eve))), WRONG)
    await assert.rejects(confirmByPasskey(context, caller, eves.get(await begin())), WRONG)
    await assert.rejects(confirmByPasskey(context, caller, authenticator.get(await begin(eve))), WRONG)
    const forSignIn = authenticator.get(await beginPasskeySignIn(context, FROM))
    await assert.rejects(confirmByPasskey(context, caller, forSignIn), WRONG)
    const options = await begin()
    await assert.rejects(signInByPasskey(context, { ...authenticator.get(options), ...FROM }), REFUSED)
    // Where it was named, an authenticator may leave out whose it is.
    await confirmByPasskey(context, caller, authenticator.get(await begin(), { userHandle: undefined }))
    const { session } = caller
    const again = (await context.accounts.listSessions(account.id)).find(({ id }) => id === session!.id)
    assert.equal(again?.authenticatedAt, test.clock.now)
  })

  it('leaves an account without a password, which is set anew without the old one', async () => {
    await assert.rejects(removePassword(context, caller), { code: 'last_way_in' })
    await added()
    await removePassword(context, caller)
    const { confirmBy } = await describeSession(context, caller)
    assert.deepEqual(confirmBy, { password: false, passkeys: true, oidc: false })
    for (const password of ['', NEW_PASSWORD])
      await assert.rejects(confirmPassword(context, caller, { password }), WRONG)
    await assert.rejects(changePassword(context, caller, { current: '', password: NEW_PASSWORD }), WRONG)
    await changePassword(context, caller, { password: NEW_PASSWORD })
    await confirmPassword(context, caller, { password: NEW_PASSWORD })
    await assert.rejects(changePassword(context, caller, { password: 'eight looms, no thread' }), WRONG)
  })

  it('goes unless it is the last way in, with all other sessions; of two at once one stays', async () => {
    const [first, second] = [await added(), await added()]
    const other = await signIn(first)
    await removePassword(context, caller)
    const remove = (id: string) => deletePasskey(context, caller, { id })
    const outcomes = await Promise.allSettled([remove(first.id), remove(second.id)])
    const [left] = await listPasskeys(context, caller)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(remove(left!.id), { code: 'last_way_in' })
    const sessions = await context.accounts.listSessions(account.id)
    assert.ok(!sessions.some(({ id }) => id === other.session!.id))
    const { caller: eve } = await test.enter((await test.addAccount(`trudy${count}`)).email)
    await assert.rejects(deletePasskey(context, eve, { id: left!.id }), { code: 'passkey_not_found' })
    await assert.rejects(renamePasskey(context, eve, { id: left!.id, name: 'mine' }), {
      code: 'passkey_not_found',
    })
    assert.equal((await renamePasskey(context, caller, { id: left!.id, name: 'phone' })).name, 'phone')
  })

  it('begins no session when it was removed while it was looked at', async () => {
    const authenticator = await added()
    const answer = { ...authenticator.get(await beginPasskeySignIn(context, FROM)), ...FROM }
    const { findPasskey } = context.accounts
    const accounts = Object.create(context.accounts, {
      findPasskey: {
        async value(id: string) {
          const found = await findPasskey.call(context.accounts, id)
          await deletePasskey(context, caller, { id })
          return found
        },
      },
    }) as AccountsContext['accounts']
    await assert.rejects(signInByPasskey({ ...context, accounts }, answer), REFUSED)
  })

  it('is tried a hundred times by a network in ten minutes, and makes no account wait', async () => {
    const stranger = new SoftAuthenticator(ORIGIN)
    const options = await beginPasskeySignIn(context, FROM)
    const attempt = () => signInByPasskey(context, { ...stranger.get(options), ...FROM })
    for (let i = 0; i < 100; i++) await assert.rejects(attempt(), REFUSED)
    await assert.rejects(attempt(), { code: 'too_many_failures' })
  })

  it('neither counts nor is asked for where the server has another name', async () => {
    await added()
    const origin = 'https://db.example.com'
    const renamed = { ...context, origin, passkeys: createPasskeys(origin, () => test.clock.now) }
    const { allowCredentials } = await beginPasskeyConfirmation(renamed, caller)
    assert.deepEqual(allowCredentials, [])
    assert.equal((await describeSession(renamed, caller)).confirmBy?.passkeys, false)
    await assert.rejects(removePassword(renamed, caller), { code: 'last_way_in' })
    const [listed] = await listPasskeys(renamed, caller)
    assert.equal(listed?.host, 'db.example.org')
  })

  it('is there for a server with a name alone', async () => {
    for (const origin of ['https://192.0.2.7:8443', 'https://[2001:db8::1]'])
      assert.equal(
        createPasskeys(origin, () => 0),
        undefined,
      )
    const nameless = { ...context, passkeys: undefined }
    assert.equal((await describeWaysIn(nameless)).passkeys, false)
    assert.equal((await describeWaysIn(context)).passkeys, true)
    for (const refused of [beginPasskeySignIn(nameless, FROM), offerPasskey(nameless, caller)])
      await assert.rejects(refused, NOT_GOOD)
    await added()
    await assert.rejects(removePassword(nameless, caller), { code: 'last_way_in' })
  })
})
