import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Route } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, fill, goToUndocked, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const APP = '**/_/api/apps/garden'
const SHARES = '**/_/api/apps/garden/shares'
const SETTINGS = '**/_/assets/settings-*'
const PANEL = '**/_/assets/document-panel-*'
const DIFFERENCE = '**/_/assets/document-difference-*'
/** Any time; the pages' clocks begin there. */
const START = Date.UTC(2026, 10, 29)
const STEP_MS = 250
const LEAST_PAUSES_MS = [1_000, 2_000, 4_000, 8_000]
const FAULT = { code: 'internal', message: 'x'.repeat(10_000) }
/** What is typed on each page that takes something, by its label, and one of the reads that such a page begins with. */
const TYPED = [
  ['/apps', 'Slug', 'half-a-slug', '/apps'],
  ['/apps/garden/keys/new', 'Name', 'half a name', '/apps/garden'],
  ['/apps/garden/keys/KEY', 'Rate', '5/min', '/apps/garden/keys'],
  ['/apps/garden/settings', 'E-mail of an account', 'half@example.org', '/apps/garden/shares'],
  ['/account', 'Name of the token', 'half a token', '/account'],
  ['/server', 'E-mail, if the link is for one address alone', 'half@example.org', '/server/accounts*'],
] as const

describe('on every page', () => {
  let browser: Browser
  let dashboard: Dashboard
  let account: AccountRecord
  let key: string
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    account = await dashboard.account('ada@example.org', { name: 'Ada', isOperator: true })
    const session = await dashboard.session(account)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'garden' } })
    const made = { name: 'gate', rules: { apps: ['garden'] } }
    key = (await dashboard.send('POST', '/apps/garden/keys', session, { json: made })).json.id
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  async function open(): Promise<SignedInWindow> {
    const credential = await dashboard.session(account, { ageMs: AGE_MS })
    return openSignedIn(browser, dashboard, { credential, screen: { width: 390, height: 800 } })
  }

  /** What a browser does when the network is back is to read the page's data again. */
  async function readAgain({ context }: SignedInWindow): Promise<void> {
    await context.setOffline(true)
    await context.setOffline(false)
  }

  async function signInAgain({ page }: SignedInWindow): Promise<void> {
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await fill(ended, { Password: PASSWORD })
    await button(ended, 'Sign in').click()
    await ended.waitFor({ state: 'detached' })
  }

  async function failOnceSignedIn(route: Route): Promise<void> {
    const answer = await route.fetch()
    await (answer.ok() ? route.fulfill({ status: 500, json: FAULT }) : route.fulfill({ response: answer }))
  }

  it('what was typed is kept when the session ends, and when the server has a fault', async () => {
    const window = await open()
    const { context, page, faults, goto } = window
    for (const [path, label, text, read] of TYPED) {
      await goto(path.replace('KEY', key))
      await fill(page, { [label]: text })
      await context.clearCookies()
      await page.route(`**/_/api${read}`, failOnceSignedIn)
      await readAgain(window)
      await signInAgain(window)
      await page.getByRole('alert').waitFor()
      await assertFits(page)
      await page.unroute(`**/_/api${read}`)
      await button(page, 'Try again').click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), text, path)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('another account is shown that has signed in beside it, whose acts they would be', async () => {
    await dashboard.account('bob@example.org', { name: 'Bob' })
    const { context, page, faults, goto } = await open()
    await goto('/apps')
    await heading(page, 'garden').waitFor()
    await context.clearCookies()
    const other = await context.newPage()
    await other.goto(new URL('/_/sign-in', page.url()).href)
    await fill(other, { 'E-mail': 'bob@example.org', Password: PASSWORD })
    await button(other, 'Sign in').click()
    await button(page, 'Account: Bob').waitFor()
    await heading(page, 'No apps yet').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a banner says that the server is away, which is asked again after growing pauses', async () => {
    const window = await open()
    const { context, page, faults, goto } = window
    await page.clock.install({ time: START })
    await goto('/apps/garden/keys/new')
    await fill(page, { Name: 'half a name' })
    await page.clock.pauseAt(START + 3_600_000)
    let elapsedMs = 0
    const askedAtMs: number[] = []
    await page.route(APP, (route) => {
      askedAtMs.push(elapsedMs)
      return route.abort()
    })
    await readAgain(window)
    const banner = page.getByText('the server is asked again by itself')
    await banner.waitFor()
    for (; askedAtMs.length < LEAST_PAUSES_MS.length + 1; elapsedMs += STEP_MS)
      await page.clock.runFor(STEP_MS)
    for (const [index, leastMs] of LEAST_PAUSES_MS.entries())
      assert.ok(askedAtMs[index + 1]! - askedAtMs[index]! >= leastMs - STEP_MS, String(askedAtMs))
    await page.unroute(APP)
    while ((await banner.count()) > 0) await page.clock.runFor(STEP_MS)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'half a name')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a wait is without a word at first, then says what for, then why it may be long', async () => {
    const { context, page, faults, goto } = await open()
    await page.clock.install({ time: START })
    await page.clock.pauseAt(START + 3_600_000)
    await page.route('**/_/api/link', () => {})
    await goto('/invite#x')
    const waiting = page.getByRole('main').getByRole('status')
    await waiting.waitFor({ state: 'attached' })
    const reading = 'Asking the server what this link is good for…'
    const slow = 'This takes longer than it should. The server may be busy.'
    for (const [afterMs, told, bars] of [
      [299, '', 0],
      [2, '', 1],
      [1_698, '', 1],
      [2, `${reading}Stop`, 1],
      [7_998, `${reading}Stop`, 1],
      [2, `${reading}${slow}Stop`, 1],
    ] as const) {
      await page.clock.runFor(afterMs)
      assert.deepEqual([await waiting.textContent(), await waiting.locator('div').count()], [told, bars])
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a mistake takes that page alone', async () => {
    const { context, page, faults, goto } = await open()
    await goto('/apps')
    await page.getByRole('link', { name: 'garden' }).click()
    await heading(page, 'Connect').waitFor()
    await page.route(SHARES, (route) => route.fulfill({ json: [null] }))
    await goToUndocked(page, 'Settings')
    await heading(page, 'This page failed').waitFor()
    await assertFits(page)
    await page.goBack()
    await heading(page, 'Connect').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a file that the server has no more is told of, and loaded anew with the page', async () => {
    const { context, page, faults, goto } = await open()
    await goto('/apps/garden')
    await heading(page, 'Connect').waitFor()
    await page.route(SETTINGS, (route) => route.fulfill({ status: 404 }))
    await goToUndocked(page, 'Settings')
    await heading(page, 'This could not be loaded').waitFor()
    await assertFits(page)
    await page.unroute(SETTINGS)
    await button(page, 'Load the page again').click()
    await heading(page, 'Sharing').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('what was typed is kept when the file of a dialog can’t be loaded', async () => {
    const { context, page, faults, goto } = await open()
    await goto('/apps/garden/settings')
    await page.route('**/_/assets/*dialog-*.js', (route) => route.fulfill({ status: 404 }))
    await fill(page, { 'Type garden to confirm': 'garden' })
    await button(page, 'Delete the app').click()
    const failed = page.getByRole('dialog', { name: 'This could not be loaded' })
    await button(failed, 'Close').click()
    await page.getByRole('alert').getByText('Nothing was done').waitFor()
    await button(page, 'Search or jump… Ctrl K').click()
    await button(failed, 'Close').click()
    await failed.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Type garden to confirm').inputValue(), 'garden')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a part of the data browser that can’t be loaded says so in its place, with what was typed beside it', async () => {
    const session = await dashboard.session(account)
    const saved = { json: { _id: 1, n: 1 } }
    await dashboard.send('POST', '/apps/garden/collections/parts', session, saved)
    const { context, page, faults, goto } = await open()
    await goto('/apps/garden/data/parts')
    await page.route(PANEL, (route) => route.abort())
    await page.getByRole('gridcell').nth(1).click()
    await page.getByRole('alert').getByText('The server may be away').waitFor()
    await assertFits(page)
    await page.unroute(PANEL)
    await page.route(DIFFERENCE, (route) => route.abort())
    await button(page, 'Load the page again').click()
    const editor = page.getByRole('textbox', { name: 'Text of the document' })
    await editor.press('Control+a')
    await page.keyboard.insertText('{"_id":1,"n":2}')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('The server may be away').waitFor()
    await assertFits(page)
    await page.unroute(DIFFERENCE)
    await button(page, 'Load the page again').click()
    await page.getByText('This is what you typed before').waitFor()
    await editor.press('Control+Enter')
    await page.getByText('1 line changed').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })
})
