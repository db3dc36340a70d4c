import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { decodePending } from '../../src/credentials/pending-sign-in.ts'
import { generateSecret, hashSecret } from '../../src/credentials/secret.ts'
import { cookieOf } from '../dashboard-api/start-dashboard.ts'
import { freePort } from '../free-port.ts'
import { CLIENT, startProvider } from '../oidc/start-provider.ts'
import { SELF_MADE_CERTIFICATE } from '../self-made-certificate.ts'
import { assertAccessible } from './look-over.ts'
import { button } from './screen.ts'
import { servePages } from './served-pages.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const port = await freePort()
const origin = `https://localhost:${port}`
const provider = await startProvider(origin)
after(() => provider.close())

const pages = servePages({
  env: {
    SHEAF_PORT: String(port),
    SHEAF_PUBLIC_URL: origin,
    SHEAF_LOG_LEVEL: 'info',
    SHEAF_OIDC_ISSUER: provider.settings.issuer,
    SHEAF_OIDC_CLIENT_ID: CLIENT.clientId,
    SHEAF_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    SHEAF_OIDC_NAME: provider.settings.name,
    NODE_EXTRA_CA_CERTS: SELF_MADE_CERTIFICATE,
  },
})
const signedOut = { Cookie: '__Host-sheaf-session=none' }

/** The addresses of the dashboard that a window showed, as its history has them. */
async function leftOver(page: Page): Promise<string> {
  return page.evaluate(() => `${location.href} ${document.referrer} ${JSON.stringify(history.state)}`)
}

for (const width of [1280, 390]) {
  describe(`an OpenID provider, in windows ${width} px wide,`, () => {
    const user = { id: `ada-${width}`, email: `ada-${width}@work.example` }

    it('is connected with an account, signs in to it, and leaves no code behind', async () => {
      const email = `ada-${width}@example.org`
      const { page, goto } = await pages.signIn({ width, email })
      provider.user = user
      await goto('/account')
      const shown = page.waitForResponse((response) => response.url().includes('/_/oidc?'))
      await button(page, 'Connect with Test & Co').click()
      assert.equal((await shown).headers()['cache-control'], 'no-store')
      await page.getByText(user.email, { exact: true }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/_/account')
      await assertAccessible(page)
      assert.doesNotMatch(await leftOver(page), /code=|state=/)

      await button(page, `Account: ${email}`).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      await goto('/sign-in?next=/account')
      await button(page, 'Continue with Test & Co').waitFor()
      await assertAccessible(page)
      await button(page, 'Continue with Test & Co').click()
      await page.getByText(user.email, { exact: true }).waitFor()
      await pages.dashboard.server.logged('"path":"/_/oidc?[redacted]"')
      assert.doesNotMatch(pages.dashboard.server.log, /code=/)
      assert.equal((await page.context().cookies(origin)).length, 1)
    })

    it('lets nobody in who is connected with no account, and says what to do', async () => {
      const { page, goto } = await pages.open(signedOut, { width })
      provider.user = { id: 'a stranger', email: `ada-${width}@example.org` }
      await goto('/sign-in')
      await button(page, 'Continue with Test & Co').click()
      await page.getByRole('alert').getByText('No account here is connected').waitFor()
      await assertAccessible(page)
      provider.user = undefined
      await page.getByRole('link', { name: 'Go to sign-in' }).click()
      await button(page, 'Continue with Test & Co').click()
      await page.getByRole('alert').waitFor()
      assert.equal((await page.context().cookies(origin)).length, 1)
      // Without an answer there is nothing to be seen.
      await goto('/oidc')
      await button(page, 'Sign in').waitFor()
    })

    it('makes the account of an invitation', async () => {
      const secret = generateSecret()
      const invited = { purpose: 'invite', email: `lin-${width}@example.org`, isOperator: false } as const
      const until = Date.now() + 60_000
      await pages.dashboard.accounts.createLink({ ...invited, hash: hashSecret(secret), until }, 'test')
      const { page, goto } = await pages.open(signedOut, { width })
      provider.user = { id: `lin-${width}`, email: 'lin@home.example', name: '<img src=x onerror=alert(1)>' }
      await goto(`/invite#${secret}`)
      await button(page, 'Continue with Test & Co').click()
      await button(page, 'Account: <img src=x onerror=alert(1)>').waitFor()
      assert.equal(new URL(page.url()).pathname, '/_/apps')
    })
  })
}

describe('an OpenID provider in the place of the password', () => {
  it('confirms an act in a session that was left open', async () => {
    const { account, page, goto } = await pages.signIn({ ageMs: AGE_MS })
    const { issuer } = provider.settings
    const identity = { issuer, subject: 'grace', email: '' }
    await pages.dashboard.accounts.connectIdentity({ account: account.id, identity }, 'test')
    provider.user = { id: 'grace' }
    const disconnect = async () => {
      await button(page, 'Disconnect grace').click()
      await button(page.getByRole('alertdialog'), 'Disconnect this sign-in').click()
    }
    await goto('/account')
    await disconnect()
    const finished = page.waitForResponse(`${origin}/_/api/oidc/finish`)
    await button(page.getByRole('dialog'), 'Continue with Test & Co').click()
    assert.equal((await finished).status(), 200)
    await page.waitForURL(`${origin}/_/account`)
    await page.getByText('It is confirmed that it is you, for ten minutes.').waitFor()
    await assertAccessible(page)
    await disconnect()
    await page.getByText('This account is connected with none.').waitFor()
  })
})

describe('an answer of an OpenID provider over HTTP', () => {
  const begin = (json: object, credential = {}) =>
    pages.dashboard.send('POST', '/oidc/begin', credential, { json })

  it('is for the browser that began, ends what it kept with its own state alone, and is logged once', async () => {
    const begun = await begin({ purpose: 'sign-in' })
    assert.equal(begun.status, 200, begun.text)
    const [cookie] = [begun.headers['set-cookie']].flat()
    assert.match(cookie!, /^__Host-sheaf-oidc=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    assert.match(begun.json.location, new RegExp(`^${provider.settings.issuer}/auth\\?`))
    const kept = cookieOf(begun)
    const { state } = decodePending(kept.Cookie!.split('=')[1])!
    const finish = async (credential: object, answer: object) => {
      const done = await pages.dashboard.send('POST', '/oidc/finish', credential, {
        json: { code: 'y', ...answer },
      })
      assert.deepEqual([done.status, done.json.code], [403, 'provider_refused'])
      return done.headers['set-cookie']
    }
    // A link on another site can have any state but that one.
    for (const credential of [{}, kept]) assert.equal(await finish(credential, { state: 'x' }), undefined)
    const iss = 'https://evil.example'
    assert.match(String(await finish(kept, { state, iss })), /^__Host-sheaf-oidc=; Max-Age=0;/)
    // However often, it is one line of the log.
    const { server } = pages.dashboard
    await server.logged('to a sign-in was refused')
    await finish(kept, { state, iss })
    await pages.dashboard.send('GET', '/no-such-path-behind-it')
    await server.logged('no-such-path-behind-it')
    assert.equal(server.log.split('to a sign-in was refused').length, 2)
  })

  it('is begun by no other site, for nothing else, and to connect or confirm in a session alone', async () => {
    const foreign = await pages.dashboard.send(
      'POST',
      '/oidc/begin',
      {},
      {
        json: { purpose: 'sign-in' },
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      },
    )
    assert.equal(foreign.json.code, 'origin_not_allowed')
    assert.equal((await begin({ purpose: 'nonsense' })).json.code, 'invalid_request')
    assert.equal((await begin({ purpose: 'link' })).json.code, 'invalid_request')
    assert.equal((await begin({ purpose: 'link', secret: generateSecret() })).json.code, 'invalid_link')
    for (const purpose of ['connect', 'confirm'])
      assert.equal((await begin({ purpose })).json.code, 'missing_credentials')
    const account = await pages.dashboard.account('old@example.org')
    const old = await pages.dashboard.session(account, { ageMs: AGE_MS })
    assert.equal((await begin({ purpose: 'connect' }, old)).json.code, 'password_required')
    assert.equal((await begin({ purpose: 'confirm' }, old)).status, 200)
    const token = await pages.dashboard.token(account, ['apps'])
    assert.equal((await begin({ purpose: 'confirm' }, token)).json.code, 'permission_denied')
  })
})
