import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { button, fill } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const COLLECTION = 'notes'
const PATH = `/apps/garden/data/${COLLECTION}`
const DOCUMENTS = Array.from({ length: 300 }, (_, n) => ({ _id: n, n, even: n % 2 === 0 }))

describe('the documents of a collection that changes beside', () => {
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
    await save(COLLECTION, DOCUMENTS)
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

  async function save(collection: string, documents: typeof DOCUMENTS): Promise<void> {
    const saved = await dashboard.send('POST', pathOf(collection), session, { json: documents })
    assert.equal(saved.status, 201)
  }

  function cell(name: string): Locator {
    return page.getByRole('gridcell', { name, exact: true })
  }

  async function scrollToEnd(): Promise<void> {
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
  }

  async function finds(told: string | RegExp): Promise<void> {
    await page.getByRole('status').getByText(told).waitFor()
  }

  it('are read on by themselves when a server that was away is there again', async () => {
    await window.goto(PATH)
    await finds('300 documents')
    await page.route('**/_/api/**', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await scrollToEnd()
    await failed
    await page.unroute('**/_/api/**')
    await cell('299').first().waitFor()
    assert.equal(await button(page, 'Try again').count(), 0)
  })

  it('go on where they were, once who was signed out has signed in again', async () => {
    await window.goto(PATH)
    await finds('300 documents')
    await window.context.clearCookies()
    await scrollToEnd()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(ended, 'Sign in').click()
    await cell('299').first().waitFor()
  })

  it('are counted anew where there are fewer by the time one has scrolled to the end', async () => {
    await save('fewer', DOCUMENTS)
    await window.goto('/apps/garden/data/fewer')
    await finds('300 documents')
    const q = encodeURIComponent('{"n":{"$gte":120}}')
    await dashboard.send('DELETE', `${pathOf('fewer')}?q=${q}`, session)
    await scrollToEnd()
    await finds('120 documents')
    await cell('119').first().waitFor()
  })

  it('are chosen for one query, and not for another', async () => {
    await window.goto(`${PATH}?q=${encodeURIComponent('{"n":{"$lt":5}}')}`)
    await finds('5 documents')
    await type('{"n":{"$lt":3}}')
    await query().press('Enter')
    await finds('3 documents')
    await cell('1').first().press('Control+a')
    assert.equal(await page.getByRole('row', { selected: true }).count(), 3)
    await page.goBack()
    await finds('5 documents')
    assert.equal(await page.getByRole('row', { selected: true }).count(), 0)
  })

  it('are shown as they were saved, though an older answer comes after that', async () => {
    await save('late', DOCUMENTS.slice(0, 3))
    await window.goto('/apps/garden/data/late')
    await finds('3 documents')
    const answered = Promise.withResolvers<void>()
    const isSaved = Promise.withResolvers<void>()
    await page.route(
      /preview=true/,
      async (route) => {
        const response = await route.fetch()
        answered.resolve()
        await isSaved.promise
        // Whoever asked may wait for it no more.
        await route.fulfill({ response }).catch(() => undefined)
      },
      { times: 1 },
    )
    await button(page, 'Find').click()
    await answered.promise
    await cell('1').first().click()
    await page.getByRole('textbox', { name: 'Text of the document' }).press('Control+a')
    await page.keyboard.insertText('{"_id":1,"n":9007199254740993}')
    await button(page, 'Show changes').click()
    await button(page, 'Save').click()
    await page.getByText('Saved.').waitFor()
    isSaved.resolve()
    await cell('9007199254740993').waitFor()
  })

  it('are all restored that were deleted one after the other', async () => {
    await save('undone', DOCUMENTS.slice(0, 4))
    await window.goto('/apps/garden/data/undone')
    for (const id of ['0', '1']) {
      await cell(id).first().click()
      const panel = page.getByRole('region', { name: `Document ${id}`, exact: true })
      await button(panel, 'Delete').click()
      await panel.waitFor({ state: 'detached' })
      await cell(id).first().waitFor({ state: 'detached' })
    }
    await page.getByText('2 documents deleted.').waitFor()
    await cell('2').first().press('Delete')
    const asked = page.getByRole('alertdialog', { name: 'Delete documents' })
    await button(asked, 'Delete 1 document').click()
    await page.getByText('3 documents deleted.').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('3 documents restored.').waitFor()
    await finds('4 documents')
  })

  it('are updated and deleted by how many there are, also where others make and delete some meanwhile', async () => {
    await save('many', DOCUMENTS.slice(0, 30))
    await window.goto('/apps/garden/data/many')
    await finds('30 documents')
    await cell('0').first().press('Control+a')
    await dashboard.send('DELETE', `${pathOf('many')}/0`, session)
    await button(page, 'Update…').click()
    const update = page.getByRole('dialog', { name: 'Update documents' })
    await update.getByRole('textbox', { name: 'Modifiers' }).press('Control+a')
    await page.keyboard.insertText('{"$set":{"d":1.10}}')
    await button(update, 'Show what changes').click()
    await fill(update, { 'Type 29 to confirm': '29' })
    await button(update, 'Update 29 documents').click()
    await update.getByText('29 documents matched, 29 changed.').waitFor()
    await button(update, 'Close').click()
    await button(page, 'Delete…').click()
    const deletion = page.getByRole('alertdialog', { name: 'Delete documents' })
    await deletion.getByLabel('all 29 that match').check()
    await fill(deletion, { 'Type 29 to confirm': '29' })
    await save('many', [{ _id: 100, n: 100, even: true }])
    await button(deletion, 'Delete 29 documents').click()
    await deletion.getByText('30 documents match and not 29').waitFor()
    await fill(deletion, { 'Type 30 to confirm': '30' })
    await button(deletion, 'Delete 30 documents').click()
    await finds('0 documents')
  })
})
