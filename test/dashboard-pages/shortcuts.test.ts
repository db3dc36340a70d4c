import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const KEY_NAME = '<b>sensor</b>'

describe('shortcut keys, the palette and links that are pointed at', () => {
  let browser: Browser
  let dashboard: Dashboard
  let account: AccountRecord
  let window: SignedInWindow
  let page: Page
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    account = await dashboard.account('ada@example.org')
    const session = await dashboard.session(account)
    for (const slug of ['garden', 'house']) await dashboard.send('POST', '/apps', session, { json: { slug } })
    await dashboard.send('POST', '/apps/garden/keys', session, { json: { name: KEY_NAME } })
    window = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 1280, height: 800 },
    })
    page = window.page
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    assert.deepEqual(window.faults, [])
  })

  async function isAt(path: string): Promise<void> {
    await page.waitForURL((url) => `${url.pathname}${url.search}` === `/_${path}`)
  }

  it('goes by g and a letter to the pages of the app that is open', async () => {
    const preferences = page.waitForResponse('**/_/api/account/preferences')
    await window.goto('/apps/garden')
    await preferences
    await heading(page, 'Connect').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await isAt('/apps/garden/keys')
    await heading(page, 'Keys').waitFor()
    await page.keyboard.press('n')
    await isAt('/apps/garden/keys/new')
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.keyboard.type('gon?r')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'gon?r')
    await isAt('/apps/garden/keys/new')
  })

  it('reads again by r', async () => {
    await window.goto('/apps')
    await page.getByRole('link', { name: 'garden' }).waitFor()
    const read = page.waitForResponse('**/_/api/apps')
    await page.keyboard.press('r')
    await read
  })

  it('finds apps, keys and pages by their names, and does what is chosen', async () => {
    await window.goto('/apps/garden')
    await heading(page, 'Connect').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump' })
    const search = palette.getByRole('combobox', { name: 'Search or jump' })
    await palette.getByRole('option', { name: KEY_NAME }).waitFor()
    assert.ok(await search.evaluate((element) => element === document.activeElement))
    await search.fill('hous')
    await palette.getByRole('option', { name: 'house', exact: true }).waitFor()
    assert.equal(await palette.getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await isAt('/apps/house')
    await palette.waitFor({ state: 'detached' })

    await button(page, 'Search or jump… Ctrl K').click()
    await search.fill('no such name')
    await palette.getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await search.fill('new app')
    await page.keyboard.press('Enter')
    await isAt('/apps?new')
    const slug = page.getByLabel('Slug', { exact: true })
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'slug')
    assert.equal(await slug.inputValue(), '')

    await page.keyboard.press('Control+k')
    await search.fill('dark')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  })

  it('opens on a phone, too', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await button(page, 'Search or jump… Ctrl K').click()
    await page.getByRole('dialog', { name: 'Search or jump' }).waitFor()
    await assertFits(page)
    await button(page, 'Close').click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('lists the keys by ?, until the account switches single letters off', async () => {
    await window.goto('/account')
    const isOn = page.getByLabel(/^Keys of a single letter/)
    await isOn.waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Shortcut keys' })
    await list.getByText('Overview').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })

    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await isOn.uncheck()
    await saved
    await page.reload()
    await isOn.waitFor()
    assert.equal(await isOn.isChecked(), false)
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump' }).waitFor()
    assert.equal(await list.count(), 0)
    await page.keyboard.press('Escape')
  })

  it('begins to read a page whose link is pointed at or focused, and reads it once', async () => {
    await window.goto('/apps')
    const link = page.getByRole('link', { name: 'garden' })
    await link.waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const first = page.waitForResponse('**/_/api/apps/garden/keys')
    await link.hover()
    await first
    await link.click()
    await heading(page, 'Connect').waitFor()
    assert.equal(asked.filter((path) => path === '/_/api/apps/garden/keys').length, 1)
    const file = page.waitForResponse(/\/assets\/settings-.*\.js$/)
    await page.getByRole('link', { name: 'Settings', exact: true }).focus()
    await file
    await isAt('/apps/garden')
  })

  it('signs out everywhere', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump' }).fill('everywhere')
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in').waitFor()
    assert.equal((await dashboard.accounts.listSessions(account.id)).length, 0)
  })
})
