import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { assertFits, button, fill, goToUndocked, heading } from './screen.ts'

const WRONG_SLUGS = [
  ['Garden', 'Small letters only.'],
  ['a'.repeat(64), '64 characters are too many: 63 at most.'],
  ['-a', 'It neither begins nor ends with -.'],
  ['a b', '" " can’t be in a slug: use a to z, 0 to 9 and -.'],
  ['lent', 'You have an app of this slug.'],
] as const

const NAME = '<i>landing</i> page\u202e'
const SHOWN_NAME = '<i>landing</i> page⟨U+202E⟩'
const PASSWORD_AGE_MS = 11 * 60 * 1000
const RATE = { requests: 60, perMs: 60_000 }

async function secretShown(page: Page): Promise<string> {
  const shown = await page.getByRole('region', { name: 'Secret' }).textContent()
  assert.match(shown!, /^shf_[0-9a-z]+$/)
  return shown!
}

/** A secret that a page showed is nowhere once it is left. */
async function assertGone(page: Page, secret: string): Promise<void> {
  const kept = await page.evaluate(() =>
    [document.documentElement.outerHTML, localStorage, sessionStorage, history.state, location.href]
      .map((each) => JSON.stringify(each))
      .join(),
  )
  assert.ok(!kept.includes(secret))
}

describe('an account in a browser', () => {
  let browser: Browser
  let dashboard: Dashboard
  let other: AccountRecord
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    other = await dashboard.account('<b>other</b>@example.org')
    await createApp('lent', await dashboard.session(other))
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  async function createApp(slug: string, by: Credential): Promise<void> {
    const { status } = await dashboard.send('POST', '/apps', by, { json: { slug } })
    assert.equal(status, 201)
  }

  /** What the API answers to a read of a collection. */
  async function statusOf(secret: string, path: string): Promise<number> {
    const headers = { 'X-Service-API-Key': secret }
    return (await dashboard.server.client.send('GET', path, { headers })).status
  }

  async function setCookie(context: BrowserContext, account: AccountRecord): Promise<void> {
    // Too long ago for what asks for the password again.
    const session = await dashboard.session(account, { ageMs: PASSWORD_AGE_MS })
    const [name, value] = session.Cookie!.split('=')
    await context.addCookies([
      { name: name!, value: value!, url: new URL('/', addressOf('/')).href, secure: true, httpOnly: true },
    ])
  }

  function addressOf(path: string): string {
    return `https://localhost:${dashboard.server.port}/_${path}`
  }

  for (const width of [1280, 390]) {
    describe(`${width} px wide`, () => {
      const errors: string[] = []
      let page: Page
      let secret: string
      let account: AccountRecord
      let violations: string[]
      before(async () => {
        account = await dashboard.account(`ada-${width}@example.org`)
        const opened = await openWindow(browser, { width, height: 800 })
        violations = opened.violations
        await setCookie(opened.context, account)
        await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
        page = await opened.context.newPage()
        page.on('pageerror', (error) => errors.push(String(error)))
      })
      after(async () => {
        await page.context().close()
        assert.deepEqual(violations, [])
        assert.deepEqual(errors, [])
      })

      it('sees that it has no apps, and what is shared with it by whom', async () => {
        await page.goto(addressOf('/apps'))
        await heading(page, 'No apps yet').waitFor()
        await assertFits(page)
        const share = { app: 'lent', account: account.id, role: 'viewer' } as const
        await dashboard.accounts.setShare(share, 'test')
        await page.reload()
        await heading(page, 'lent').waitFor()
        await page.getByText('you may look, shared by <b>other</b>@example.org').waitFor()
        await assertFits(page)
      })

      it('is told while it types a slug what is wrong with it', async () => {
        const field = page.getByLabel('Slug', { exact: true })
        for (const [slug, told] of WRONG_SLUGS) {
          await field.fill(slug)
          await page.getByText(told, { exact: true }).waitFor()
          await button(page, 'Make the app').click()
        }
        assert.equal(new URL(page.url()).pathname, '/_/apps')
        await field.fill('demo')
        await button(page, 'Make the app').click()
        await page.getByRole('alert').getByText('demo').waitFor()
        await assertFits(page)
      })

      it('makes an app, and finds on its page how programs reach it', async () => {
        const slug = `garden-${width}`
        await fill(page, { Slug: slug })
        await button(page, 'Make the app').click()
        await heading(page, 'Connect').waitFor()
        assert.equal(new URL(page.url()).pathname, `/_/apps/${slug}`)
        await page.getByText('No collections yet').waitFor()
        const address = `https://localhost:${dashboard.server.port}/apps/${slug}/collections/notes`
        for (const language of ['curl', 'JavaScript', 'Python', 'Arduino']) {
          await page.getByRole('tab', { name: language }).click()
          const shown = page.getByRole('region', { name: `Example for ${language}` })
          await shown.getByText(address).waitFor()
          await button(page, `Copy: Example for ${language}`).click()
          await button(page, 'Copied').waitFor()
          const copied = await page.evaluate(() => navigator.clipboard.readText())
          assert.equal(copied, await shown.textContent())
          await assertFits(page)
        }
      })

      it('makes a key by rules that the server sums up, and sees its secret once', async () => {
        await page.getByRole('link', { name: 'Keys', exact: true }).click()
        await page.getByText('No keys yet').waitFor()
        await page.getByRole('link', { name: 'New key' }).click()
        const sum = page.getByRole('region', { name: 'What the key may do' })
        await sum.getByText(`May read documents in every collection of the app garden-${width}`).waitFor()
        await fill(page, { Name: NAME, Rate: 'often' })
        await sum.getByText('"often" can\'t be a rate').waitFor()
        await assertFits(page)
        await fill(page, { Rate: '60/min', Collections: 'notes\nlines', Ends: '90d' })
        await page.getByLabel('create', { exact: true }).check()
        await sum.getByText(/May read and create .* notes and lines .* at most 60 times a minute/).waitFor()
        await button(page, 'Make the key').click()
        secret = await secretShown(page)
        assert.equal(await statusOf(secret, `/apps/garden-${width}/collections/notes`), 200)
        assert.equal(await statusOf(secret, `/apps/garden-${width}/collections/others`), 403)
        await assertFits(page)
        await page.getByRole('link', { name: 'Go to the key' }).click()
        await heading(page, SHOWN_NAME).waitFor()
        await assertGone(page, secret)
        await assertFits(page)
      })

      it('changes the rules of a key, and gives it another secret', async () => {
        await fill(page, { Collections: 'others' })
        await button(page, 'Save the rules').click()
        await page.getByText('Saved. It holds within a second.').waitFor()
        const [key] = await dashboard.accounts.listKeys({ owner: account.id })
        assert.deepEqual([key!.rules.collections, key!.rules.rate], [['others'], RATE])
        await fill(page, { 'The old one works for': 'a while' })
        await button(page, 'Give it a new secret').click()
        await page.getByRole('alert').getByText('"a while" can\'t be').waitFor()
        await fill(page, { 'The old one works for': '7d' })
        await button(page, 'Give it a new secret').click()
        const other = await secretShown(page)
        assert.notEqual(other, secret)
        assert.equal(await statusOf(other, `/apps/garden-${width}/collections/others`), 200)
        await button(page, 'I have copied it').click()
        await page.getByText('Old secrets work until').waitFor()
        await assertGone(page, other)
      })

      it('revokes a key whose name was typed', async () => {
        assert.equal(await button(page, 'Revoke the key').isDisabled(), true)
        await fill(page, { [`Type ${SHOWN_NAME} to confirm`]: SHOWN_NAME })
        await button(page, 'Revoke the key').click()
        await page.getByText('No keys yet').waitFor()
        assert.deepEqual(await dashboard.accounts.listKeys({ owner: account.id }), [])
        await page.goto(addressOf(`/apps/garden-${width}`))
        await heading(page, 'Connect').waitFor()
      })

      it('shares an app with an account, and stops', async () => {
        await goToUndocked(page, 'Settings')
        await page.getByText('Shared with nobody yet.').waitFor()
        await fill(page, { 'E-mail of an account': 'nobody@example.org' })
        await button(page, 'Share the app').click()
        await page.getByRole('alert').getByText('There is no account with this e-mail address').waitFor()
        await fill(page, { 'E-mail of an account': other.email })
        await page.getByLabel('Role').selectOption('editor')
        await button(page, 'Share the app').click()
        await page.getByText(`${other.email}, editor`).waitFor()
        await assertFits(page)
        await button(page, `Stop sharing with ${other.email}`).click()
        await page.getByText('Shared with nobody yet.').waitFor()
      })

      it('finds in the activity of an app what was done, by a filter in the address', async () => {
        await goToUndocked(page, 'Activity')
        await page.getByText('app.create', { exact: true }).waitFor()
        await fill(page, { What: 'KEY.ROTATE', 'From address': '127.' })
        const rows = page.locator('tbody tr')
        await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
        assert.match(
          (await rows.textContent())!,
          new RegExp(`ada-${width}@example.org from 127.0.0.1key.rotate`),
        )
        assert.equal(new URL(page.url()).search, '?action=KEY.ROTATE&address=127.')
        await assertFits(page)
        await page.reload()
        await rows.getByText('key.rotate').waitFor()
        assert.equal(await rows.count(), 1)
        await fill(page, { Who: 'nothing of this' })
        await page.getByText('No change has all of these texts.').waitFor()
      })

      it('deletes an app by its slug and the password, and restores it', async () => {
        const slug = `garden-${width}`
        await page.goto(addressOf(`/apps/${slug}/settings`))
        await button(page, 'Delete the app').waitFor()
        assert.equal(await button(page, 'Delete the app').isDisabled(), true)
        await fill(page, { [`Type ${slug} to confirm`]: slug })
        await button(page, 'Delete the app').click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await dialog
          .getByRole('button')
          .filter({ hasNotText: /Cancel|Show/ })
          .click()
        await heading(page, 'Deleted apps').waitFor()
        assert.equal(await page.getByRole('link', { name: slug, exact: true }).count(), 0)
        await assertFits(page)
        await button(page, `Restore ${slug}`).click()
        await page.getByRole('link', { name: slug, exact: true }).click()
        await heading(page, 'Connect').waitFor()
      })

      it('leaves an app that is shared with it', async () => {
        await page.goto(addressOf('/apps/lent/settings'))
        await button(page, 'Leave the app').click()
        await heading(page, 'Apps').waitFor()
        await page.getByRole('link', { name: 'lent', exact: true }).waitFor({ state: 'detached' })
        await page.goto(addressOf(`/apps/garden-${width}`))
        await heading(page, 'Connect').waitFor()
      })

      it('sees the names of collections as they are, and that an app is gone', async () => {
        const name = '<img src=x onerror=alert(1)>\u202e'
        const path = `/apps/garden-${width}/collections/${encodeURIComponent(name)}`
        const { status } = await dashboard.send('POST', path, await dashboard.session(account), { json: {} })
        assert.equal(status, 201)
        await page.reload()
        await page.getByText('<img src=x onerror=alert(1)>⟨U+202E⟩', { exact: true }).waitFor()
        await assertFits(page)
        await page.goto(addressOf('/apps/absent'))
        await heading(page, 'There is no such app here').waitFor()
        await assertFits(page)
      })
    })
  }
})
