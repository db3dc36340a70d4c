import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 390, height: 800 }
const TOLD_MS = 300
/** Each with what is said of it. */
const SLUGS = [
  ['garden', 'You have an app of this slug.'],
  ['old', 'You have deleted an app of this slug: restore it below, or remove it.'],
  ['Garden', 'Small letters only.'],
  ['a'.repeat(64), '64 characters are too many: 63 at most.'],
  ['-a', 'It neither begins nor ends with -.'],
] as const
/** 24 digits, which are 79 bits. */
const GIVEN = '314159265358979323846264'
const THINGS = '/apps/garden/collections/readings'

interface Watched {
  /** What is to be said. */
  told: string
  typedAt: number
  toldAt: number
}

/** Notes when something was typed last, and when its form said what is to be said of that. */
function watchForm(input: Element): void {
  const seen = globalThis as unknown as Watched
  const form = input.closest('form')!
  const check = (): void => {
    if (form.textContent.includes(seen.told)) seen.toldAt = Math.min(seen.toldAt, performance.now())
  }
  input.addEventListener('input', () => {
    seen.typedAt = performance.now()
    seen.toldAt = Number.POSITIVE_INFINITY
    // Where it was said before, it still is when the page is done with the key.
    setTimeout(check)
  })
  new MutationObserver(check).observe(form, { subtree: true, childList: true, characterData: true })
}

describe('what an app holds and who may use it, in a browser', () => {
  let browser: Browser
  let dashboard: Dashboard
  let ada: AccountRecord
  let credential: Credential
  let window: SignedInWindow
  let page: Page

  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    ada = await dashboard.account('ada@example.org')
    credential = await dashboard.session(ada, { ageMs: 11 * 60 * 1000 })
    const fresh = await dashboard.session(ada)
    const send = (method: string, path: string, json?: unknown) =>
      dashboard.send(method, path, fresh, json === undefined ? {} : { json })
    for (const slug of ['garden', 'old']) await send('POST', '/apps', { slug })
    await send('DELETE', '/apps/old')
    const readings = Array.from({ length: 1000 }, (_, n) => ({ n, text: 'x'.repeat(100) }))
    await send('POST', '/apps/garden/collections/readings', readings)
    await send('POST', '/apps/garden/collections/users', [{ a: 1 }, { a: 2 }])
    const rules = { permission: 'read', collections: ['readings'], websites: ['example.com'], expires: '3d' }
    await send('POST', '/apps/garden/keys', { name: 'web', rules })
    await send('POST', '/apps/garden/keys', { name: 'all', rules: {} })
    window = await openSignedIn(browser, dashboard, { credential, screen: WIDE })
    page = window.page
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    assert.deepEqual(window.faults, [])
  })

  async function fitsBoth(): Promise<void> {
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size)
      await assertFits(page)
    }
  }

  async function statusOf(secret: string): Promise<number> {
    const headers = { 'X-Service-API-Key': secret }
    return (await dashboard.server.client.send('GET', THINGS, { headers })).status
  }

  it('is told on its card and on its overview', async () => {
    await window.goto('/apps')
    await page.getByText(/^1,002 documents, [\d.]+ kB$/).waitFor()
    await fitsBoth()
    await page.getByRole('link', { name: 'garden', exact: true }).click()
    await page.getByText('in 2 collections').waitFor()
    const rows = page.getByRole('table', { name: 'Collections' }).getByRole('row')
    assert.match((await rows.nth(1).textContent())!, /^readings1,000about 1[34]\d kB0$/)
    assert.match((await rows.nth(2).textContent())!, /^users2about \d\d bytes0$/)
    await page.getByText('1 ends within 7 days').waitFor()
    const attention = page.getByRole('region', { name: 'Needs attention' })
    assert.deepEqual(await attention.getByRole('listitem').allTextContents(), [
      'allIt may do everything in every collection, from anywhere.',
      'webIt ends within 3 days.',
    ])
    // Nobody's collection gets a document of an example.
    assert.ok(
      !(await page.getByRole('region', { name: 'Example for curl' }).textContent())!.includes('hello'),
    )
    await fitsBoth()
  })

  it('says of each slug within 300 ms of the last key what is wrong with it', async () => {
    await window.goto('/apps')
    await heading(page, 'Deleted apps').waitFor()
    const field = page.getByLabel('Slug', { exact: true })
    await field.evaluate(watchForm)
    for (const [slug, told] of SLUGS) {
      await field.fill('')
      await page.evaluate((text) => Object.assign(globalThis, { told: text }), told)
      await field.pressSequentially(slug)
      await page.getByText(told, { exact: true }).waitFor()
      const seen = await page.waitForFunction(() => {
        const { typedAt, toldAt } = globalThis as unknown as Watched
        return Number.isFinite(toldAt) && { ms: toldAt - typedAt }
      })
      const { ms } = (await seen.jsonValue()) as { ms: number }
      assert.ok(ms >= 0 && ms <= TOLD_MS, `${slug}: ${ms} ms`)
    }
  })

  it('removes a deleted app at once by its slug and the password', async () => {
    await button(page, 'Remove old').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(/There is no undo/).waitFor()
    assert.equal(await button(dialog, 'Remove the app').isDisabled(), true)
    await fill(dialog, { 'Type old to confirm': 'old' })
    await fitsBoth()
    await button(dialog, 'Remove the app').click()
    const asked = page.getByRole('dialog')
    await asked.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(asked, 'Go on').click()
    await page.locator('button[aria-label="Remove old"]').waitFor({ state: 'detached' })
    assert.deepEqual((await dashboard.send('GET', '/deleted-apps', credential)).json, [])
  })

  it('answers whether a request by a key would be let in, as the server would', async () => {
    await window.goto('/apps/garden/keys')
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await heading(page, 'Would a GET be let in?').waitFor()
    const attempt = async (fields: Record<string, string>, told: string) => {
      await fill(page, fields)
      await button(page, 'Try the request').click()
      await page.getByRole('status').getByText(told).waitFor()
    }
    await attempt({ Collection: 'readings' }, 'No: from 127.0.0.1 the answer would be 403.')
    await page.getByText('website_not_allowed').waitFor()
    await fitsBoth()
    const website = 'On a page of the website'
    await attempt({ [website]: 'https://example.com' }, 'Yes: from 127.0.0.1 it would be let in.')
    await attempt({ [website]: 'example.org' }, 'No: from 127.0.0.1 the answer would be 403.')
    await attempt({ [website]: 'Example.com/a/page?of=it' }, 'Yes: from 127.0.0.1 it would be let in.')
    await attempt({ 'From the address': '192.0.2.7' }, 'Yes: from 192.0.2.7 it would be let in.')
    await attempt({ Collection: 'users' }, 'No: from 192.0.2.7 the answer would be 403.')
    await page.getByText('collection_not_allowed').waitFor()
    await page.getByLabel('Method', { exact: true }).selectOption('DELETE')
    await heading(page, 'Would a DELETE be let in?').waitFor()
    await attempt({ Collection: 'readings' }, 'No: from 192.0.2.7 the answer would be 403.')
    await fill(page, { 'From the address': 'here' })
    await button(page, 'Try the request').click()
    await page.getByRole('alert').getByText('Address should be one of IPv4 or IPv6.').waitFor()
  })

  it('takes in a key that exists already, and shows its secret nowhere', async () => {
    await window.goto('/apps/garden/keys/new')
    await fill(page, { Name: 'old' })
    await button(page, 'I have a key already').click()
    const field = page.getByLabel('Secret of the key that you have', { exact: true })
    assert.equal(await field.getAttribute('type'), 'password')
    await field.fill('short')
    await button(page, 'Make the key').click()
    await page.getByRole('alert').waitFor()
    await field.fill(GIVEN)
    await fitsBoth()
    const made = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok())
    await button(page, 'Make the key').click()
    assert.equal((await (await made).allHeaders())['cache-control'], 'no-store')
    await heading(page, 'The key is made').waitFor()
    await page.getByText(/at most about 79 bits/).waitFor()
    await eventuallyEqual(() => statusOf(GIVEN), 200)
    await page.getByRole('link', { name: 'Go to the key' }).click()
    await heading(page, 'old').waitFor()
    await page.goBack()
    await heading(page, 'New key').waitFor()
    const kept = await page.evaluate(() => {
      const values = [...document.querySelectorAll('input')].map(({ value }) => value)
      const stored = [localStorage, sessionStorage, history.state, location.href]
      return JSON.stringify([document.documentElement.outerHTML, values, ...stored])
    })
    assert.ok(!kept.includes(GIVEN))
  })

  it('ends all tokens of a key, and of an app, once it was said what is lost', async () => {
    const { client } = dashboard.server
    const tokenOf = async (): Promise<string> => {
      const { text } = await client.send('POST', `/create-token/${GIVEN}`)
      return `token:${JSON.parse(text).id_result}`
    }
    const first = await tokenOf()
    assert.equal(await statusOf(first), 200)
    await window.goto('/apps/garden/keys')
    await page.getByRole('link', { name: 'old', exact: true }).click()
    const end = async (name: string, lost: RegExp) => {
      await button(page, name).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText(lost).waitFor()
      await fitsBoth()
      await button(dialog, name).click()
      await page.getByRole('status').getByText('Done: every token').waitFor()
    }
    await end('End all tokens of the key', /gets 401 within a second/)
    await eventuallyEqual(() => statusOf(first), 401)
    const second = await tokenOf()
    assert.equal(await statusOf(second), 200)
    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await end('End all tokens of the app', /Keys that open other apps as well/)
    await eventuallyEqual(() => statusOf(second), 401)
    assert.equal(await statusOf(GIVEN), 200)
  })

  it('makes one key of a button that is pressed twice at once, and goes on without a network', async () => {
    await window.goto('/apps/garden/keys/new')
    await fill(page, { Name: 'twice' })
    // A browser without a network reaches what is on its own machine.
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/apps/garden/keys') && request.method() === 'POST')
        asked.push(request.url())
    })
    await button(page, 'Make the key').dblclick()
    await heading(page, 'The key is made').waitFor()
    await page.getByRole('link', { name: 'Go to the key' }).click()
    await heading(page, 'twice').waitFor()
    assert.equal(asked.length, 1)
    await page.evaluate(() => dispatchEvent(new Event('online')))
  })

  it('leaves what somebody else changed of a key meanwhile', async () => {
    const { json: keys } = await dashboard.send('GET', '/apps/garden/keys', credential)
    const path = `/apps/garden/keys/${keys.find(({ name }: { name: string }) => name === 'twice').id}`
    const rate = page.getByLabel('Rate', { exact: true })
    await rate.fill('5/s')
    await dashboard.send('PATCH', path, credential, { json: { rules: { collections: ['users'] } } })
    await heading(page, 'twice').click()
    await page.keyboard.press('r')
    const collections = page.getByLabel('Collections', { exact: true })
    await eventuallyEqual(() => collections.inputValue(), 'users')
    assert.equal(await rate.inputValue(), '5/s')
    await button(page, 'Save the rules').click()
    await page.getByText('Saved. It holds within a second.').waitFor()
    const { json: saved } = await dashboard.send('GET', '/apps/garden/keys', credential)
    const { collections: left, rate: kept } = saved.find(({ name }: { name: string }) => name === 'twice')
    assert.deepEqual([left, kept], [['users'], '5/s'])
  })

  it('says where something is done in an app that it is gone', async () => {
    await window.goto('/apps/garden/keys/new')
    await fill(page, { Name: 'late' })
    await dashboard.send('DELETE', '/apps/garden', await dashboard.session(ada))
    await button(page, 'Make the key').click()
    await page
      .getByRole('alert')
      .getByText(/^There is no such app here/)
      .waitFor()
  })
})
