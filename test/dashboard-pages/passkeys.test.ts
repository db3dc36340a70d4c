import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { assertAccessible } from './look-over.ts'
import { assertFits, button, fill, heading } from './screen.ts'

const ORIGIN = 'https://db.example.com'
/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000

/** A device with a fingerprint reader, as Chromium plays it. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, authenticatorId }
}

describe('passkeys in a browser', () => {
  let browser: Browser
  let dashboard: Dashboard
  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_PUBLIC_URL: ORIGIN })
    browser = await startBrowser({ mapped: `MAP db.example.com:443 127.0.0.1:${dashboard.server.port}` })
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  it('sign in and confirm for an account that comes to have no password', async () => {
    const { context, violations } = await openWindow(browser, { width: 1280, height: 800 })
    const page = await context.newPage()
    const enter = async (credential: { readonly Cookie?: string }) => {
      const [name, value] = credential.Cookie!.split('=') as [string, string]
      await context.addCookies([
        { name, value, url: ORIGIN, secure: true, httpOnly: true, sameSite: 'Strict' },
      ])
    }
    const { cdp, authenticatorId } = await addAuthenticator(page)
    const account = await dashboard.account('ada@example.org', { name: 'Ada' })
    await enter(await dashboard.session(account, { ageMs: AGE_MS }))

    await page.goto(`${ORIGIN}/_/account`)
    await page.getByText('No passkeys.').waitFor()
    assert.equal(await button(page, 'Remove the password').count(), 0)
    await fill(page, { 'Name of the passkey': 'laptop <b>\u202e' })
    await button(page, 'Add a passkey').click()
    const dialog = page.getByRole('dialog')
    await fill(dialog, { Password: PASSWORD })
    await button(dialog, 'Go on').click()
    const list = page.getByRole('table', { name: 'Passkeys' })
    await list.getByText('laptop <b>⟨U+202E⟩').waitFor()
    await button(page, 'Add a passkey').click()
    await page.getByRole('alert').getByText('This device has a passkey of your account already.').waitFor()

    await assertAccessible(page)
    await button(page, 'Rename the passkey laptop <b>⟨U+202E⟩').click()
    await fill(page.getByRole('alertdialog'), { Name: 'my laptop' })
    await button(page.getByRole('alertdialog'), 'Rename the passkey').click()
    await list.getByText('my laptop').waitFor()
    await button(page, 'Remove the password').click()
    await button(page.getByRole('alertdialog'), 'Remove the password').click()
    await button(page, 'Set a password').waitFor()
    await button(page, 'Remove the passkey my laptop').click()
    await button(page.getByRole('alertdialog'), 'Remove the passkey').click()
    await page.getByRole('alert').getByText('Nobody could sign in to this account then').waitFor()

    await context.clearCookies()
    await page.goto(`${ORIGIN}/_/sign-in`)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('No passkey came').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await assertAccessible(page)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await button(page, 'Sign in with a passkey').click()
    await heading(page, 'Apps').waitFor()

    await context.clearCookies()
    await enter(await dashboard.session(account, { ageMs: AGE_MS }))
    await page.goto(`${ORIGIN}/_/account`)
    await fill(page, { 'New password': PASSWORD })
    await button(page, 'Set a password').click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await button(confirmation, 'Confirm with a passkey').waitFor()
    await assertAccessible(page)
    assert.equal(await confirmation.getByLabel('Password').count(), 0)
    await button(confirmation, 'Confirm with a passkey').click()
    await page.getByText('The password was changed.').waitFor()
    await assertFits(page)
    const { json } = await dashboard.send(
      'POST',
      '/session',
      {},
      { json: { email: account.email, password: PASSWORD } },
    )
    assert.equal(json.account.id, account.id)
    assert.deepEqual(violations, [])
    await context.close()
  })

  it('are refused with what there is to do, in the words of browsers that the tests have not', async () => {
    const { context } = await openWindow(browser, { width: 390, height: 800 })
    const page = await context.newPage()
    await page.goto(`https://localhost:${dashboard.server.port}/_/sign-in`)
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('belong to db.example.com').waitFor()
    // What Chromium says where it doesn't trust the certificate; without a window it doesn't look.
    await page.evaluate(() => {
      const words = 'WebAuthn is not supported on sites with TLS certificate errors.'
      navigator.credentials.get = () => Promise.reject(new DOMException(words, 'NotAllowedError'))
    })
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('doesn’t trust the server’s certificate').waitFor()
    await assertFits(page)
    await context.close()
  })
})
