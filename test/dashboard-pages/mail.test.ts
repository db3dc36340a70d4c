import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { bodyOf, TestMailServer } from '../mail-server.ts'
import { openWindow } from './chromium.ts'
import { assertAccessible } from './look-over.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { servePages } from './served-pages.ts'

const NEW_PASSWORD = 'looms and jacquard 1804'

const mail = await TestMailServer.start()
const pages = servePages({
  env: {
    SHEAF_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    ...{ SHEAF_MAIL_FROM: 'sheaf@example.org', SHEAF_PUBLIC_URL: 'https://db.example.org' },
  },
})
after(() => mail.close())

/** Where the link of a message leads, without the server's name. */
const linkIn = (body: string): string => /https:\/\/db\.example\.org(\/_\/\S+)/.exec(body)![1]!

describe('pages of a server that sends mail', () => {
  it('lead who has forgotten the password to another one, on a phone', async () => {
    await pages.dashboard.account('ada@example.org', { name: 'Ada' })
    const screen = { width: 390, height: 844, colorScheme: 'dark' } as const
    const { context, violations } = await openWindow(pages.browser, screen)
    const page = await context.newPage()
    const origin = `https://localhost:${pages.dashboard.server.port}`
    await page.goto(`${origin}/_/sign-in`)
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await heading(page, 'Another password').waitFor()
    await assertAccessible(page)
    await fill(page, { 'E-mail': 'ADA@example.org' })
    await button(page, 'Send the link').click()
    await page.getByRole('status').getByText('ADA@example.org').waitFor()
    await assertAccessible(page)
    await assertFits(page)
    await page.goto(origin + linkIn(bodyOf(await mail.next())))
    await fill(page, { 'New password': NEW_PASSWORD })
    await button(page, 'Change the password').click()
    await page.getByText('The password was changed').waitFor()
    await page.goto(`${origin}/_/reset#used`)
    await heading(page, 'This link can’t be used').waitFor()
    await page.getByRole('link', { name: 'Forgot the password?' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await fill(page, { 'E-mail': 'ada@example.org' })
    await fill(page, { Password: NEW_PASSWORD })
    await button(page, 'Sign in').click()
    await heading(page, 'Apps').waitFor()
    assert.match(bodyOf(await mail.next()), /^The password of your account was changed\./)

    await page.goto(`${origin}/_/account`)
    const trail = page.getByRole('table', { name: 'Changes, the newest first' })
    await trail.getByText('session.begin').waitFor()
    await trail.getByText('way: "password"').waitFor()
    await trail.getByText('link.create').waitFor()
    await fill(page, { What: 'account.' })
    await trail.getByText('session.begin').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?action=account.')
    await trail.getByText('account.update').waitFor()
    await assertFits(page)
    assert.deepEqual(violations, [])
    await context.close()
  })

  it('send invitations, and a message by which an operator tries it', async () => {
    const { page, goto } = await pages.signIn({ email: 'op@example.org', isOperator: true })
    await goto('/server')
    await fill(page, { 'E-mail, if the link is for one address alone': 'grace@example.org' })
    await page.getByLabel('and send it to this address by mail').check()
    await button(page, 'Make an invitation link').click()
    await page.getByText('It is being sent to grace@example.org, too').waitFor()
    const shown = await page.locator('pre').textContent()
    const invitation = await mail.next()
    assert.deepEqual(invitation.to, ['grace@example.org'])
    assert.ok(bodyOf(invitation).includes(shown!))
    await page.getByText(`127.0.0.1:${mail.port}`).waitFor()
    await button(page, 'Send a test message').click()
    await page.getByText('The mail server took it, for op@example.org.').waitFor()
    assert.deepEqual((await mail.next()).to, ['op@example.org'])
    await assertAccessible(page)
    await assertFits(page)
  })
})
