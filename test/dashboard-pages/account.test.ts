import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, fill } from './screen.ts'
import { openSignedIn } from './signed-in-window.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const HOSTILE = '<img src=x onerror=alert(1)>\u202e {{x}} Lovelace'

function passwordDialog(page: Page) {
  return page.getByRole('dialog', { name: 'Your password once more' })
}

for (const width of [1280, 390]) {
  describe(`the account's page, ${width} px wide,`, () => {
    const screen = { width, height: 800 }
    let browser: Browser
    let dashboard: Dashboard
    before(async () => {
      browser = await startBrowser()
      dashboard = await Dashboard.start()
    })
    after(async () => {
      await dashboard.close()
      await browser.close()
    })

    it('asks for the password before the e-mail is changed, and changes nothing without it', async () => {
      const account = await dashboard.account('ada@example.org', { name: 'Ada' })
      const credential = await dashboard.session(account, { ageMs: AGE_MS })
      const { context, page, faults, goto } = await openSignedIn(browser, dashboard, { credential, screen })
      await goto('/account')
      await fill(page, { Name: HOSTILE })
      await button(page, 'Save the profile').click()
      await page.getByText('Saved.').waitFor()
      await button(page, `Account: ${HOSTILE}`).waitFor()
      assert.equal(await passwordDialog(page).count(), 0)

      await fill(page, { 'E-mail': 'countess@example.org' })
      await button(page, 'Save the profile').click()
      await assertFits(page)
      await button(passwordDialog(page), 'Cancel').click()
      await page.getByRole('alert').getByText('Nothing was done').waitFor()

      await button(page, 'Save the profile').click()
      await fill(passwordDialog(page), { Password: 'not the one it is' })
      await button(passwordDialog(page), 'Go on').click()
      await passwordDialog(page).getByRole('alert').getByText('wrong').waitFor()
      await fill(passwordDialog(page), { Password: PASSWORD })
      await button(passwordDialog(page), 'Go on').click()
      await page.getByText('Saved.').waitFor()
      assert.equal(await passwordDialog(page).count(), 0)
      const changed = await dashboard.accounts.findAccount({ email: 'countess@example.org' })
      assert.deepEqual([changed?.id, changed?.name], [account.id, HOSTILE])
      assert.deepEqual(faults, [])
      await context.close()
    })
  })
}
