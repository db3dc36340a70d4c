import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

/** Its address has what a router might take apart or decode twice. */
const COLLECTION = 'a#b%23 ü?<b>'
const PATH = `/apps/garden/data/${encodeURIComponent(COLLECTION)}`
const DOCUMENTS = Array.from({ length: 300 }, (_, n) => ({ _id: n, n, even: n % 2 === 0 }))

describe('the documents of a collection, found by a query', () => {
  let browser: Browser
  let dashboard: Dashboard
  let session: Credential
  let window: SignedInWindow
  let page: Page
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    session = await dashboard.session(await dashboard.account('ada@example.org'))
    await dashboard.send('POST', '/apps', session, { json: { slug: 'garden' } })
    const saved = await dashboard.send('POST', pathOf(COLLECTION), session, { json: DOCUMENTS })
    assert.equal(saved.status, 201)
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

  function pathOf(collection: string): string {
    return `/apps/garden/collections/${encodeURIComponent(collection)}`
  }

  function query(): Locator {
    return page.getByRole('textbox', { name: 'Query' })
  }

  /** As somebody does; `fill` has the browser write styles, which the policy refuses. */
  async function type(text: string): Promise<void> {
    await query().press('Control+a')
    await page.keyboard.insertText(text)
  }

  async function finds(told: string | RegExp): Promise<void> {
    await page.getByRole('status').getByText(told).waitFor()
  }

  it('are reached from the overview and from the list of collections, whatever their collection is called', async () => {
    await window.goto('/apps/garden')
    await page.getByRole('table', { name: 'Collections' }).getByRole('link', { name: COLLECTION }).click()
    await finds('300 documents')
    assert.equal(new URL(page.url()).pathname, `/_${PATH}`)
    await page.getByRole('link', { name: 'Data', exact: true }).first().click()
    await page.getByRole('table', { name: 'Collections' }).getByText('300').waitFor()
    await assertFits(page)
  })

  it('come with a page that is small, and an editor behind it', async () => {
    await window.goto(PATH)
    await finds('300 documents')
    await query().waitFor()
    const sizes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/assets/'))
        .map((entry) => [entry.name, (entry as PerformanceResourceTiming).encodedBodySize] as const),
    )
    const sum = (ofEditor: boolean): number =>
      sizes
        .filter(([name]) => /\/(?:shadow-editor|dist)-/.test(name) === ofEditor)
        .reduce((all, [, bytes]) => all + bytes, 0)
    assert.ok(sum(false) > 0 && sum(false) <= 190 * 1024, `the page has ${sum(false)} bytes`)
    assert.ok(sum(true) > 0 && sum(true) <= 125 * 1024, `the editor has ${sum(true)} bytes`)
  })

  it('are found on Enter, which the address says; Back goes one Find back', async () => {
    await window.goto(PATH)
    await finds('300 documents')
    await type('{"n":{"$gte":290}}')
    assert.equal(new URL(page.url()).search, '')
    await query().press('Enter')
    await finds('10 documents of 300 documents')
    await finds(/one after the other · \d/)
    assert.equal(new URL(page.url()).searchParams.get('q'), '{"n":{"$gte":290}}')
    await type('{"even":true}')
    await button(page, 'Find').click()
    await finds('150 documents of 300 documents')
    await page.goBack()
    await finds('10 documents')
    assert.equal(await query().textContent(), '{"n":{"$gte":290}}')
    await page.reload()
    await finds('10 documents')
    await page.goBack()
    await finds('300 documents')
    await query().getByText('{} or nothing: every document').waitFor()
  })

  it('are put in order and cut to fields by lists, which say the same in the address', async () => {
    await window.goto(`${PATH}?q=${encodeURIComponent('{"n":{"$lt":5}}')}`)
    await finds('5 documents')
    await button(page, 'Sort').click()
    const sort = page.getByRole('dialog', { name: 'Sort' })
    await sort.getByLabel('Field to sort by').fill('n')
    await button(sort, 'Add').click()
    await button(page, 'Turn the direction of n').click()
    await page.keyboard.press('Escape')
    await button(page, 'Fields: all').click()
    await page.getByLabel('even', { exact: true }).check()
    await page.keyboard.press('Escape')
    await button(page, 'Find').click()
    await page.waitForURL((url) => url.searchParams.get('f') === '{"even":1}')
    assert.equal(new URL(page.url()).searchParams.get('s'), '{"n":-1}')
    await button(page, 'Sort: n ↓').waitFor()
  })

  it('are refused in the words of the API, at their place, while typing and after Find', async () => {
    await window.goto(PATH)
    await finds('300 documents')
    await type('{"n":{"$ne":1}}')
    await finds('Unknown operator $ne; write {"$not": value}.')
    await query().press('Enter')
    await page.getByRole('alert').getByText('Unknown operator $ne; write {"$not": value}.').waitFor()
    await type('{"n":')
    await finds('the text ends too early')
    await type('{"n":1}')
    await query().press('Enter')
    await finds('1 document of 300 documents')
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  it('are remembered by what was asked, and by a name, on every machine of the account', async () => {
    await button(page, 'Queries').click()
    const list = page.getByRole('dialog', { name: 'Queries' })
    await list.getByText('{"even":true}').waitFor()
    await list.getByLabel('Name of this query').fill('only the first <b>')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await button(list, 'Keep').click()
    await saved
    const other = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 390, height: 800, colorScheme: 'dark' },
    })
    await other.goto(PATH)
    await other.page.getByRole('status').getByText('300 documents').waitFor()
    await button(other.page, 'Refine').click()
    await button(other.page, 'Queries').click()
    await other.page.getByText('only the first <b>').click()
    await other.page.getByRole('status').getByText('1 document of 300').waitFor()
    await assertFits(other.page)
    assert.deepEqual(other.faults, [])
    await other.context.close()
  })

  it('say what to do where there are none, and where none matches', async () => {
    await window.goto(`${PATH}?q=${encodeURIComponent('{"n":-1}')}`)
    await heading(page, 'Nothing matches').waitFor()
    await page.getByText('Without the query there are 300 documents.').waitFor()
    await button(page, 'Clear the query').click()
    await finds('300 documents')
    await window.goto('/apps/garden/data/none%20yet')
    await heading(page, 'No documents').waitFor()
    await page.getByText("/apps/garden/collections/none%20yet'").first().waitFor()
  })

  it('are shown to whoever signs in first, as the address has them', async () => {
    await window.context.clearCookies()
    await window.goto(`${PATH}?q=${encodeURIComponent('{"n":{"$gte":290}}')}&view=json`)
    await heading(page, 'Sign in').waitFor()
    await fill(page, { 'E-mail': 'ada@example.org', Password: PASSWORD })
    await button(page, 'Sign in').click()
    await finds('10 documents of 300 documents')
    assert.equal(new URL(page.url()).searchParams.get('view'), 'json')
  })

  it('are shown from the same address, in another tab and to whoever else has a right to them', async () => {
    const cat = await dashboard.account('cat@example.org')
    await dashboard.accounts.setShare({ app: 'garden', account: cat.id, role: 'viewer' }, 'test')
    const search = new URLSearchParams({ q: '{"n":{"$gte":290}}', s: '{"n":-1}', view: 'json', doc: '295' })
    const address = `${PATH}?${search}`
    const beside = await window.context.newPage()
    const other = await openSignedIn(browser, dashboard, {
      credential: await dashboard.session(cat),
      screen: { width: 1280, height: 800 },
    })
    for (const shown of [page, beside, other.page]) {
      await shown.goto(`https://localhost:${dashboard.server.port}/_${address}`)
      await assertShows(shown)
    }
    await other.page.getByText('You may look. Ask ada@example.org to edit.').waitFor()
    assert.equal(await button(other.page, 'New document').count(), 0)
    await other.page.reload()
    await assertShows(other.page)
    await other.page.getByRole('textbox', { name: 'Query' }).press('Control+a')
    await other.page.keyboard.insertText('{"n":299}')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('status').getByText('1 document of 300 documents').waitFor()
    await other.page.goBack()
    await assertShows(other.page)
    assert.deepEqual(other.faults, [])
    await other.context.close()
    await beside.close()

    async function assertShows(shown: Page): Promise<void> {
      await shown.getByRole('status').getByText('10 documents of 300 documents').waitFor()
      await button(shown, 'Sort: n ↓').waitFor()
      await shown.getByText('299').first().waitFor()
      await shown.getByRole('region', { name: 'Document 295' }).getByText('"even"').waitFor()
      assert.equal(new URL(shown.url()).search, `?${search}`)
    }
  })

  it('are waited for as long as nobody stops it', async () => {
    // One that is never answered.
    await page.route('**/*preview=true*', () => undefined)
    await window.goto(PATH)
    const left = page.waitForEvent('requestfailed', (request) => request.url().includes('preview=true'))
    await button(page, 'Stop').click()
    await left
    await page.unroute('**/*preview=true*')
    await button(page, 'Go on').click()
    await page.getByRole('gridcell', { name: '0', exact: true }).first().waitFor()
    await finds('300 documents')
  })

  it('are asked for by curl, all and one, also one that the query does not find', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await window.goto(`${PATH}?q=${encodeURIComponent('{"t":"it\'s"}')}`)
    await button(page, 'Copy as curl').click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.ok(copied.includes(`--data-urlencode 'q={"t":"it'\\''s"}'`), copied)
    await window.goto(`${PATH}?q=${encodeURIComponent('{"n":{"$gte":290}}')}&doc=7`)
    const panel = page.getByRole('region', { name: 'Document 7' })
    await panel.getByText('The query does not find this document.').waitFor()
    await button(panel, 'Copy as curl').click()
    const one = await page.evaluate(() => navigator.clipboard.readText())
    assert.ok(one.endsWith(`'q={"_id":7}' \\\n  --data-urlencode 'fo=true'\n`), one)
  })
})
