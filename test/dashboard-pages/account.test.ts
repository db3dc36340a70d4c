import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { assertFits, button, fill } from './screen.ts'
import { servePages } from './served-pages.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const OTHER = 'weaving numbers 1844'
const HOSTILE = '<img src=x onerror=alert(1)>\u202e {{x}} Lovelace'

function passwordDialog(page: Page) {
  return page.getByRole('dialog', { name: 'Your password once more' })
}

const pages = servePages()

for (const width of [1280, 390]) {
  describe(`the account's page, ${width} px wide,`, () => {
    it('asks for the password before the e-mail is changed, and changes nothing without it', async () => {
      const { account, page, goto } = await pages.signIn({ width, name: 'Ada', ageMs: AGE_MS })
      await goto('/account')
      await fill(page, { Name: HOSTILE })
      await button(page, 'Save the profile').click()
      await page.getByText('Saved.').waitFor()
      await button(page, 'Account: <img src=x onerror=alert(1)>⟨U+202E⟩ {{x}} Lovelace').waitFor()
      assert.equal(await passwordDialog(page).count(), 0)

      const email = `countess-${width}@example.org`
      await fill(page, { 'E-mail': email })
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
      const changed = await pages.dashboard.accounts.findAccount({ email })
      assert.deepEqual([changed?.id, changed?.name], [account.id, HOSTILE])
    })

    it('turns a second factor on, takes its codes, makes new recovery codes, and turns it off', async () => {
      const { account, context, page, goto } = await pages.signIn({ width, name: 'Grace', ageMs: AGE_MS })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await goto('/account')
      await button(page, 'Set up a second factor').click()
      await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
      const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent())!
      await fill(page, { 'Code of the app': '000000' })
      await assertFits(page)
      await button(page, 'Turn the second factor on').click()
      await fill(passwordDialog(page), { Password: PASSWORD })
      await button(passwordDialog(page), 'Go on').click()
      await page.getByRole('alert').getByText('The code is wrong').waitFor()
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      await fill(page, { 'Code of the app': totp.generate() })
      await button(page, 'Turn the second factor on').click()
      await page.getByText('On, with 10 recovery codes left.').waitFor()
      const codes = (await page.locator('pre').textContent())!
      assert.equal(codes.trim().split('\n').length, 10)
      await assertFits(page)
      const saving = page.waitForEvent('download')
      await button(page, 'Save as a file').click()
      const file = await (await saving).createReadStream()
      assert.equal(await text(file), `${codes}\n`)
      await button(page, 'Copy: recovery codes').click()
      await button(page, 'Copied').waitFor()
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes)
      await button(page, 'Done').click()
      assert.doesNotMatch(await page.content(), new RegExp(codes.slice(0, 8)))

      await button(page, 'Make new recovery codes').click()
      await button(page.getByRole('alertdialog'), 'Make new recovery codes').click()
      await page.getByText('Recovery codes, each good once').waitFor()
      const renewed = (await page.locator('pre').textContent())!
      assert.notEqual(renewed, codes)

      await fill(page, { 'Current password': PASSWORD, 'New password': OTHER, Code: renewed.split('\n')[0]! })
      await button(page, 'Change the password').click()
      await page.getByText('The password was changed.').waitFor()
      await page.getByText('On, with 9 recovery codes left.').waitFor()

      await button(page, 'Turn the second factor off').click()
      await button(page.getByRole('alertdialog'), 'Turn the second factor off').click()
      await button(page, 'Set up a second factor').waitFor()
      assert.equal((await pages.dashboard.accounts.findAccount({ id: account.id }))?.hasTotp, false)
    })

    it('lists sessions and tokens, and ends them', async () => {
      const { account, page, goto } = await pages.signIn({ width, name: 'Mary', ageMs: AGE_MS })
      await pages.dashboard.session(account)
      await goto('/account')
      const sessions = page.getByRole('region', { name: 'Sessions' })
      await sessions.getByText('this one').waitFor()
      assert.equal(await sessions.getByRole('row').count(), 3)
      await button(sessions, 'End the session of a browser').click()
      await button(sessions, 'End the session of a browser').waitFor({ state: 'detached' })
      assert.equal((await pages.dashboard.accounts.listSessions(account.id)).length, 1)

      const tokens = page.getByRole('region', { name: 'Tokens' })
      await tokens.getByText('No tokens.').waitFor()
      await fill(tokens, { 'Name of the token': 'backup' })
      await tokens.getByLabel('write documents').check()
      await button(tokens, 'Make a token').click()
      await fill(passwordDialog(page), { Password: PASSWORD })
      await button(passwordDialog(page), 'Go on').click()
      await tokens.getByText(/^shfa_/).waitFor()
      const [token] = await pages.dashboard.accounts.listTokens(account.id)
      assert.deepEqual([token?.name, token?.permissions], ['backup', ['read', 'write']])
      await assertFits(page)
      await button(tokens, 'Done').click()
      await button(tokens, 'End the token backup').click()
      await button(page.getByRole('alertdialog'), 'End the token').click()
      await tokens.getByText('No tokens.').waitFor()

      await button(sessions, 'Sign out everywhere').click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.deepEqual(await pages.dashboard.accounts.listSessions(account.id), [])
    })

    it('says which apps go with the account, and deletes it when its address was typed', async () => {
      const { account, page, goto } = await pages.signIn({ width, name: 'Joan', ageMs: AGE_MS })
      const slug = `weaving-${width}`
      await pages.dashboard.accounts.createApp({ slug, owner: account.id }, 'test')
      await goto('/account')
      await button(page, 'Delete your account').click()
      const dialog = page.getByRole('alertdialog', { name: 'Delete the account' })
      await dialog.getByText(slug).waitFor()
      await dialog.getByText('0 keys, shared with 0 accounts').waitFor()
      assert.equal(await button(dialog, 'Delete the account').isDisabled(), true)
      await dialog.getByLabel('They become this server’s operator’s').check()
      await fill(dialog, { [`Type ${account.email} to confirm`]: account.email })
      await assertFits(page)
      await button(dialog, 'Delete the account').click()
      await button(passwordDialog(page), 'Cancel').click()
      await dialog.getByRole('alert').getByText('Nothing was done').waitFor()
      await button(dialog, 'Delete the account').click()
      await fill(passwordDialog(page), { Password: PASSWORD })
      await button(passwordDialog(page), 'Go on').click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(await pages.dashboard.accounts.findAccount({ id: account.id }), undefined)
      const app = (await pages.dashboard.accounts.listApps()).find((each) => each.slug === slug)
      assert.equal(app?.owner, null)
    })

    it('asks for a code, too, where there is a second factor, and leaves the dialog below it open', async () => {
      const account = await pages.dashboard.account(`rosa-${width}@example.org`)
      const secret = new Secret({ size: 20 })
      const kept = { secret: Buffer.from(secret.base32), step: 1, recoveryHashes: [] }
      await pages.dashboard.accounts.enableTotp({ account: account.id, ...kept }, 'test')
      const credential = await pages.dashboard.session(account, { ageMs: AGE_MS })
      const { page, goto } = await pages.open(credential, { width })
      await goto('/account')
      await button(page, 'Turn the second factor off').click()
      const below = page.getByRole('alertdialog', { name: 'Turn the second factor off' })
      await button(below, 'Turn the second factor off').click()
      await passwordDialog(page).getByLabel('Password', { exact: true }).press('Escape')
      await passwordDialog(page).waitFor({ state: 'detached' })
      await below.getByRole('alert').getByText('Nothing was done').waitFor()
      await button(below, 'Turn the second factor off').click()
      await fill(passwordDialog(page), { Password: PASSWORD })
      await button(passwordDialog(page), 'Go on').click()
      await fill(passwordDialog(page), { Code: new TOTP({ secret }).generate() })
      await assertFits(page)
      await button(passwordDialog(page), 'Go on').click()
      await button(page, 'Set up a second factor').waitFor()
    })

    it('keeps what was typed where a change finds that the session has ended', async () => {
      const { account, context, page, goto } = await pages.signIn({ width, name: 'Kate' })
      await goto('/account')
      await fill(page, { Name: 'Katherine' })
      await context.clearCookies()
      await button(page, 'Save the profile').click()
      const ended = page.getByRole('dialog', { name: 'Your session has ended' })
      await fill(ended, { Password: PASSWORD })
      await button(ended, 'Sign in').click()
      await ended.waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Katherine')
      await button(page, 'Save the profile').click()
      await page.getByText('Saved.').waitFor()
      assert.equal((await pages.dashboard.accounts.findAccount({ id: account.id }))?.name, 'Katherine')
    })
  })
}
