import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FROM, openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { generateAccountToken, hashSecret } from '../credentials/secret.ts'
import type { AccountRecord, AccountToken } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import type { AccountCaller } from './context.ts'

const MINUTE_MS = 60_000
const INVALID = { code: 'invalid_credentials' }

describe('who asks for something in an account', () => {
  let test: TestAccountContext
  let ada: AccountRecord

  before(async () => {
    test = await openAccountContext()
    ada = await test.addAccount('ada')
  })
  after(() => test.close())

  const asks = (given: { sessionSecret?: string; bearer?: string }): Promise<AccountCaller> =>
    authenticateCaller(test.context, { ...given, ...FROM })

  const addToken = async (name: string): Promise<{ bearer: string; token: AccountToken }> => {
    const bearer = generateAccountToken()
    const [hash, expiresAt] = [hashSecret(bearer), test.clock.now + 60 * MINUTE_MS]
    const made = { account: ada.id, name, hash, permissions: ['read'], expiresAt }
    return { bearer, token: await test.context.accounts.createToken(made, 'test') }
  }

  const lastUse = async (id: string): Promise<number | null | undefined> =>
    (await test.context.accounts.listTokens(ada.id)).find((token) => token.id === id)?.lastUsedAt

  it('is nobody without a session or a token', async () => {
    await assert.rejects(asks({}), { code: 'missing_credentials' })
  })

  it('is nobody with what never was a token, whatever its length', async () => {
    for (const bearer of ['', 'shfa_', generateAccountToken(), `shfa_${'a'.repeat(1e6)}`, 'shf_key'])
      await assert.rejects(asks({ bearer }), INVALID)
  })

  it('is told by the token alone where there is one, good or bad', async () => {
    const { secret } = await test.enter(ada.email)
    const { bearer, token } = await addToken('ci')
    const caller = await asks({ sessionSecret: secret, bearer })
    assert.equal(caller.session, undefined)
    assert.deepEqual(caller, { kind: 'account', account: ada, token, address: FROM.address })
    await assert.rejects(asks({ sessionSecret: secret, bearer: '' }), INVALID)
  })

  it('is the account of a session, with where the request comes from', async () => {
    const { secret } = await test.enter(ada.email)
    const caller = await asks({ sessionSecret: secret })
    assert.deepEqual([caller.account, caller.address, caller.token], [ada, FROM.address, undefined])
    assert.equal(caller.session?.account, ada.id)
  })

  it('is nobody with a token that has ended, was deleted, or whose permissions are damaged', async () => {
    const ending = await addToken('ending')
    const gone = await addToken('gone')
    const damaged = await addToken('damaged')
    await test.context.accounts.deleteToken({ account: ada.id, id: gone.token.id }, 'test')
    test.run(`UPDATE account_tokens SET permissions = '["read' WHERE name = 'damaged'`)
    for (const { bearer } of [gone, damaged]) await assert.rejects(asks({ bearer }), INVALID)
    await asks({ bearer: ending.bearer })
    test.clock.now += 60 * MINUTE_MS
    await assert.rejects(asks({ bearer: ending.bearer }), INVALID)
  })

  it('has the use of a token noted once a minute', async () => {
    const { bearer, token } = await addToken('used')
    const first = test.clock.now
    await asks({ bearer })
    test.clock.now += MINUTE_MS - 1
    await asks({ bearer })
    assert.equal(await lastUse(token.id), first)
    test.clock.now += 1
    await asks({ bearer })
    assert.equal(await lastUse(token.id), first + MINUTE_MS)
  })

  it('is nobody when the account is gone', async () => {
    const grace = await test.addAccount('grace')
    const { secret } = await test.enter(grace.email)
    await test.context.accounts.deleteAccount({ id: grace.id, apps: 'delete' }, 'test')
    await assert.rejects(asks({ sessionSecret: secret }), INVALID)
  })
})
