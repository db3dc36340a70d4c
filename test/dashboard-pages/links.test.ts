import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading } from './screen.ts'

const BOB = 'bob@example.org'

describe('a browser on a phone', () => {
  let browser: Browser
  let dashboard: Dashboard
  let operator: Credential
  let bob: AccountRecord
  let context: BrowserContext
  let page: Page
  let violations: string[]
  let recoveryCode: string

  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    operator = await dashboard.session(await dashboard.account('ada@example.org', { isOperator: true }))
    bob = await dashboard.account(BOB)
    const session = await dashboard.session(bob)
    const { secret } = (await dashboard.send('POST', '/account/totp', session)).json
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const on = await dashboard.send('PUT', '/account/totp', session, { json: { secret, code } })
    recoveryCode = on.json.recoveryCodes[0]
    const opened = await openWindow(browser, { width: 390, height: 844, colorScheme: 'dark' })
    context = opened.context
    violations = opened.violations
    page = await context.newPage()
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })

  const address = (path: string): string => `https://127.0.0.1:${dashboard.server.port}/_${path}`
  const linkOf = async (path: string, json: unknown): Promise<string> => {
    const { link } = (await dashboard.send('POST', path, operator, { json })).json
    const { pathname, hash } = new URL(link)
    return address(pathname.slice('/_'.length) + hash)
  }

  it('keeps what was typed where the server does not answer, and says so', async () => {
    await page.goto(address('/sign-in'))
    await fill(page, { 'E-mail': BOB, Password: PASSWORD })
    await page.route('**/_/api/**', (route) => route.abort())
    await button(page, 'Sign in').click()
    await page.getByRole('alert').getByText('The server does not answer.').waitFor()
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), PASSWORD)
    await assertFits(page)
    // A page that can't begin without the server offers to try again, and does.
    await page.goto(address('/apps'))
    await button(page, 'Try again').waitFor()
    await page.unroute('**/_/api/**')
    await button(page, 'Try again').click()
    await heading(page, 'Sign in').waitFor()
  })

  it('says what a server said that has a fault, with what its log knows the request by', async () => {
    const fault = { code: 'internal', message: 'something went wrong' }
    await page.route('**/_/api/session', (route) =>
      route.fulfill({ status: 500, json: fault, headers: { 'X-Request-Id': 'the-id-of-it' } }),
    )
    await fill(page, { 'E-mail': BOB, Password: PASSWORD })
    await button(page, 'Sign in').click()
    await page.getByRole('alert').getByText('Something went wrong.').waitFor()
    await page.getByRole('alert').getByText('the-id-of-it').waitFor()
    await page.unroute('**/_/api/session')
  })

  it('gets another password by a link, and in by it and the second factor', async () => {
    await page.goto(await linkOf(`/server/accounts/${bob.id}/password-reset`, {}))
    await heading(page, 'Choose a new password').waitFor()
    assert.equal(page.url(), address('/reset'))
    await page.getByText(`For ${BOB}.`).waitFor()
    await assertFits(page)
    await fill(page, { 'New password': 'another number 1844' })
    await button(page, 'Change the password').click()
    await page.getByText('The password was changed').waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), BOB)
    await fill(page, { Password: 'another number 1844' })
    await button(page, 'Sign in').click()
    await heading(page, 'Second factor').waitFor()
    await assertFits(page)
    await fill(page, { Code: '000000' })
    await button(page, 'Sign in').click()
    await page.getByRole('alert').getByText('a code is good once').waitFor()
    await button(page, 'Use another account').click()
    await fill(page, { 'E-mail': BOB, Password: 'another number 1844' })
    await button(page, 'Sign in').click()
    await fill(page, { Code: recoveryCode })
    await button(page, 'Sign in').click()
    await heading(page, 'No apps yet').waitFor()
    await context.clearCookies()
  })

  it('follows an invitation that is opened where another link was looked at', async () => {
    await page.goto(address('/invite#nothing'))
    await heading(page, 'This link can’t be used').waitFor()
    const link = await linkOf('/server/invitations', { email: 'carol@example.org' })
    await page.evaluate((hash) => {
      location.hash = hash
    }, new URL(link).hash)
    await heading(page, 'Make your account').waitFor()
    assert.equal(page.url(), address('/invite'))
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'carol@example.org')
    assert.equal(await page.getByLabel('E-mail').isEditable(), false)
    await assertFits(page)
    await fill(page, { Name: 'Carol', Password: PASSWORD })
    await button(page, 'Make the account').click()
    await heading(page, 'No apps yet').waitFor()
  })

  it('can stop a read that takes long, and begin it again', async () => {
    await page.route('**/_/api/apps', () => {})
    await page.goto(address('/apps'))
    await page.getByText('Reading the list of your apps').waitFor()
    const failed = page.waitForEvent('requestfailed')
    await button(page, 'Stop').click()
    await failed
    await page.getByText('Stopped; nothing was read.').waitFor()
    await assertFits(page)
    await page.unroute('**/_/api/apps')
    await button(page, 'Try again').click()
    await heading(page, 'No apps yet').waitFor()
  })

  it('says for how long the server does not answer, and keeps what it shows', async () => {
    await page.route('**/_/api/apps', (route) => route.abort())
    // What a browser does when the network is back is to read the page's data again.
    await context.setOffline(true)
    await context.setOffline(false)
    const banner = page.getByText('the server is asked again by itself')
    await banner.waitFor()
    assert.equal(await heading(page, 'No apps yet').count(), 1)
    await assertFits(page)
    await page.unroute('**/_/api/apps')
    await banner.waitFor({ state: 'detached' })
  })

  it('is led nowhere else by what an address names as the next page', async () => {
    for (const next of [
      '//evil.example.org',
      '/\\evil.example.org',
      'https://evil.example.org',
      'javascript:x',
    ]) {
      await page.goto(address(`/sign-in?next=${encodeURIComponent(next)}`))
      await heading(page, 'Apps').waitFor()
      assert.equal(page.url(), address('/apps'))
    }
    await page.goto(address('/nowhere/at/all'))
    await heading(page, 'There is nothing at this address').waitFor()
  })

  it('broke no part of the policy by any of this', () => assert.deepEqual(violations, []))
})
