import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openAccountContext, SITE_DOMAINS, type TestAccountContext } from '../../test/account-context.ts'
import { checkSiteDomain } from './check-site-domain.ts'
import type { AccountsContext, Caller } from './context.ts'
import { createSiteDomain } from './create-site-domain.ts'
import { deleteSiteDomain } from './delete-site-domain.ts'
import { describeSite } from './describe-site.ts'

const COMMAND: Caller = { kind: 'command-line', actor: 'cli:test' }

describe('the domain of a site', () => {
  let made: TestAccountContext
  let context: AccountsContext
  let owner: Caller
  const looked: [domain: string, token: string][] = []
  let problem: string | undefined
  let found: 'record' | 'file' = 'record'

  before(async () => {
    made = await openAccountContext()
    context = made.contextWith({
      siteDomains: {
        ...SITE_DOMAINS,
        problem: (domain) => (domain === 'db.example.org' ? 'is an address of the server itself' : undefined),
        prove: async (...of) => {
          looked.push(of)
          return problem === undefined ? { found } : { problem }
        },
      },
    })
    const { id } = await made.addAccount('ada')
    await made.addAccount('bob')
    owner = (await made.enter('ada@example.org')).caller
    for (const slug of ['shop', 'other']) await context.accounts.createApp({ slug, owner: id }, 'test')
  })
  after(() => made.close())
  beforeEach(() => {
    looked.length = 0
    problem = undefined
    found = 'record'
  })

  it('is refused where it is no full name of DNS, or the server says why it can not be', async () => {
    for (const domain of ['', 'localhost', '*.example.org', 'https://example.org', '192.0.2.1'])
      await assert.rejects(createSiteDomain(context, owner, { app: 'shop', domain }), {
        code: 'invalid_domain',
      })
    await assert.rejects(createSiteDomain(context, owner, { app: 'shop', domain: 'DB.example.org' }), {
      code: 'invalid_domain',
      message: 'db.example.org is an address of the server itself; take a domain of your own',
    })
  })

  it('is as one of an app that is not there for a stranger', async () => {
    const { caller } = await made.enter('bob@example.org')
    const of = { app: 'shop', domain: 'shop.example.org' }
    for (const act of [createSiteDomain, checkSiteDomain, deleteSiteDomain])
      await assert.rejects(act(context, caller, of), { code: 'app_not_found' })
  })

  it('waits with what has to be found there, until that was found', async () => {
    const waiting = await createSiteDomain(context, owner, { app: 'shop', domain: ' Bücher.example. ' })
    const { domain, state, record, file } = waiting
    assert.deepEqual([domain, state], ['xn--bcher-kva.example', 'waiting'])
    assert.deepEqual([record.type, record.name], ['TXT', '_sheaf.xn--bcher-kva.example'])
    assert.match(record.value, /^sheaf-site=[0-9a-f]{40}$/)
    assert.deepEqual(file, {
      url: 'http://xn--bcher-kva.example/.well-known/sheaf-site',
      body: record.value,
    })
    problem = 'nothing was there'
    await assert.rejects(checkSiteDomain(context, owner, { app: 'shop', domain }), {
      code: 'domain_unverified',
      message: 'nothing was there; a new record may take minutes to be seen',
    })
    problem = undefined
    const verified = await checkSiteDomain(context, owner, { app: 'shop', domain: 'bücher.example' })
    assert.deepEqual(verified, { ...waiting, state: 'verified' })
    assert.deepEqual(
      looked.map(([at, token]) => [at, `sheaf-site=${token}`]),
      [1, 2].map(() => [domain, record.value]),
    )
    assert.deepEqual((await describeSite(context, owner, { app: 'shop' })).domains, [verified])
    problem = 'it is gone'
    assert.deepEqual(await checkSiteDomain(context, owner, { app: 'shop', domain }), verified)
  })

  it('moves to an app that shows by the record that it is its own, with a value of its own', async () => {
    const [shop, other] = ['shop', 'other'].map((app) => ({ app, domain: 'moved.example.org' }))
    const first = await createSiteDomain(context, owner, shop!)
    await checkSiteDomain(context, owner, shop!)
    const second = await createSiteDomain(context, owner, other!)
    assert.equal(second.state, 'waiting')
    assert.notEqual(second.record.value, first.record.value)
    found = 'file'
    await assert.rejects(checkSiteDomain(context, owner, other!), { code: 'domain_taken' })
    found = 'record'
    looked.length = 0
    assert.equal((await checkSiteDomain(context, owner, other!)).state, 'verified')
    assert.deepEqual(looked, [['moved.example.org', second.record.value.slice('sheaf-site='.length)]])
    const { domains } = await describeSite(context, owner, { app: 'shop' })
    const lost = domains.find(({ domain }) => domain === 'moved.example.org')!
    assert.equal(lost.state, 'waiting')
    assert.equal(
      [first, second].some(({ record }) => record.value === lost.record.value),
      false,
    )
  })

  it('is removed by its name, and once', async () => {
    const of = { app: 'other', domain: 'gone.example.org' }
    await createSiteDomain(context, COMMAND, of)
    await deleteSiteDomain(context, COMMAND, of)
    for (const act of [checkSiteDomain, deleteSiteDomain])
      await assert.rejects(act(context, COMMAND, of), { code: 'domain_not_found' })
    assert.deepEqual(looked, [])
  })
})
