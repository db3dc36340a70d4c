import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading, receivedBytes } from './screen.ts'

const LINK = /https:\/\/\S+\/_\/setup#\S+/
const NAME = 'Ada <img src=x onerror=alert(1)> Lovelace'

function assertUpTo(bytes: number, most: number): void {
  assert.ok(bytes > 20 * 1024 && bytes <= most, `${bytes} bytes were sent, of ${most} at most`)
}

describe('a browser on a first start', () => {
  let browser: Browser
  before(async () => {
    browser = await startBrowser()
  })
  after(() => browser.close())

  for (const width of [1280, 390]) {
    describe(`${width} px wide`, () => {
      let server: ServerProcess
      let link: string
      before(async () => {
        server = await startServer()
        link = LINK.exec(server.greeting)![0]
      })
      after(() => server.dispose())

      it('comes by the link to an account and its apps, out, and in again', async () => {
        const { context, violations } = await openWindow(browser, { width, height: 800 })
        const page = await context.newPage()
        const errors: string[] = []
        const requests: string[] = []
        page.on('pageerror', (error) => errors.push(String(error)))
        page.on('request', (request) => requests.push(request.url()))

        // Until it is signed in, every page is the sign-in.
        await page.goto(new URL('/_/', link).href)
        await heading(page, 'Sign in').waitFor()
        await assertFits(page)
        assertUpTo(await receivedBytes(page), 75 * 1024)

        await page.goto(link)
        await heading(page, 'Make the first account').waitFor()
        const secret = new URL(link).hash.slice(1)
        assert.equal(await page.evaluate(() => location.href), new URL('/_/setup', link).href)
        assert.doesNotMatch(await page.evaluate(() => JSON.stringify(history.state)), new RegExp(secret))
        await assertFits(page)

        await fill(page, { 'E-mail': 'ada@example.org', Name: NAME, Password: 'short' })
        await button(page, 'Make the account').click()
        await page.getByRole('alert').getByText('it has 5 characters of at least 12').waitFor()
        assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.org')
        await fill(page, { Password: PASSWORD })
        await button(page, 'Make the account').click()
        await heading(page, 'Apps').waitFor()
        await heading(page, 'demo').waitFor()
        assert.equal(new URL(page.url()).pathname, '/_/apps')
        await assertFits(page)

        await button(page, `Account: ${NAME}`).click()
        await page.getByRole('menuitemradio', { name: 'Dark' }).click()
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
        await assertFits(page)
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
        await heading(page, 'Sign in').waitFor()
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')

        await fill(page, { 'E-mail': 'ada@example.org', Password: 'not the one it is' })
        await button(page, 'Sign in').click()
        await page.getByRole('alert').getByText('The e-mail address, the password or the code').waitFor()
        await fill(page, { Password: PASSWORD })
        await button(page, 'Sign in').click()
        await heading(page, 'demo').waitFor()
        await page.reload()
        await heading(page, 'demo').waitFor()
        assertUpTo(await receivedBytes(page), 170 * 1024)

        assert.deepEqual(violations, [])
        assert.deepEqual(errors, [])
        for (const url of requests) {
          assert.equal(new URL(url).origin, new URL(link).origin)
          assert.doesNotMatch(new URL(url).pathname, new RegExp(secret))
        }
        await context.close()
      })

      it('keeps a page whose session ends, and goes on with it', async () => {
        const { context, violations } = await openWindow(browser, { width, height: 800 })
        const page = await context.newPage()
        await page.goto(new URL('/_/sign-in', link).href)
        await fill(page, { 'E-mail': 'ada@example.org', Password: PASSWORD })
        await button(page, 'Sign in').click()
        await heading(page, 'demo').waitFor()
        await context.clearCookies()
        // What the browser does when the network is back is to read the page's data again.
        await context.setOffline(true)
        await context.setOffline(false)
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
        await dialog.waitFor()
        assert.equal(await page.getByText('demo').count(), 1)
        assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'ada@example.org')
        await assertFits(page)
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await dialog.waitFor({ state: 'detached' })
        await heading(page, 'demo').waitFor()

        await context.clearCookies()
        await page.reload()
        await heading(page, 'Sign in').waitFor()
        assert.equal(new URL(page.url()).searchParams.get('next'), '/apps')
        assert.deepEqual(violations, [])
        await context.close()
      })

      it('is told that a link which was used is good for nothing', async () => {
        const { context, violations } = await openWindow(browser, { width, height: 800 })
        const page = await context.newPage()
        await page.goto(link)
        await heading(page, 'This link can’t be used').waitFor()
        await page.getByText('sheaf account setup-link').waitFor()
        await assertFits(page)
        await page.reload()
        await page.getByText('The part behind # is missing').waitFor()
        assert.deepEqual(violations, [])
        // That one would have been seen:
        const seen = page.waitForFunction(() => document.head.dataset.seen)
        await page.evaluate(() => {
          document.addEventListener('securitypolicyviolation', () => {
            document.head.dataset.seen = 'yes'
          })
          document.head.append(document.createElement('style'))
          document.head.lastElementChild!.textContent = 'p { color: red }'
        })
        await seen
        assert.match(violations.join(), /style-src/)
        await context.close()
      })
    })
  }
})
