import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading } from './screen.ts'

const WRONG_SLUGS = [
  ['Garden', 'Small letters only.'],
  ['a'.repeat(64), '64 characters are too many: 63 at most.'],
  ['-a', 'It neither begins nor ends with -.'],
  ['a b', '" " can’t be in a slug: use a to z, 0 to 9 and -.'],
  ['lent', 'You have an app of this slug.'],
] as const

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

  async function setCookie(context: BrowserContext, account: AccountRecord): Promise<void> {
    const [name, value] = (await dashboard.session(account)).Cookie!.split('=')
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

      it('sees the names of collections as they are, and that an app is gone', async () => {
        const name = '<img src=x onerror=alert(1)>\u202e'
        const path = `/apps/garden-${width}/collections/${encodeURIComponent(name)}`
        const { status } = await dashboard.send('POST', path, await dashboard.session(account), { json: {} })
        assert.equal(status, 201)
        await page.reload()
        await page.getByText(name, { exact: true }).waitFor()
        await assertFits(page)
        await page.goto(addressOf('/apps/absent'))
        await heading(page, 'There is no such app here').waitFor()
        await assertFits(page)
      })
    })
  }
})
