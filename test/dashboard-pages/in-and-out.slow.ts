import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { csvOfAllKinds } from './csv-of-all-kinds.ts'
import { button } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

/** Documents of about 500 bytes; the figures are meant for a million. */
const DOCUMENTS = Number(process.env.SHEAF_SLOW_DOCUMENTS ?? 1_000_000)
/** Rows of a CSV file; the check is meant for 100,000. */
const ROWS = Math.min(100_000, DOCUMENTS)
const BULK = 10_000
const PADDING = 'x'.repeat(440)
const GROWTH_MIB = 100
const WAITS_MS = 240_000

describe(`the pages with ${DOCUMENTS.toLocaleString('en')} documents`, () => {
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
    for (let from = 0; from < DOCUMENTS; from += BULK) {
      const json = Array.from({ length: Math.min(BULK, DOCUMENTS - from) }, (_, i) => ({
        _id: from + i,
        key: from + i,
        padding: PADDING,
      }))
      const path = '/apps/garden/collections/readings'
      assert.equal((await dashboard.send('POST', path, session, { json })).status, 201)
    }
    window = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 1280, height: 800 },
    })
    page = window.page
    page.setDefaultTimeout(WAITS_MS)
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    assert.deepEqual(window.faults, [])
  })

  it('export all of them, and the server hardly grows by it', async (t) => {
    await window.goto('/apps/garden/data/readings')
    await page.getByRole('gridcell').first().waitFor()
    await button(page, 'Export…').click()
    const link = page.getByRole('link', { name: `Export ${DOCUMENTS.toLocaleString('en')} documents` })
    await link.waitFor()
    const before = dashboard.server.memoryMiB() ?? 0
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, dashboard.server.memoryMiB() ?? 0)
    }, 100)
    const since = performance.now()
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const path = await download.path()
    const seconds = (performance.now() - since) / 1000
    clearInterval(watching)
    const rate = Math.round(DOCUMENTS / seconds)
    t.diagnostic(
      `${rate.toLocaleString('en')} documents/s, the server grew by ${Math.round(most - before)} MiB`,
    )
    let next = 0
    let rest = ''
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        assert.ok(line.startsWith(`{"_id":${next},"key":${next},`) && line.endsWith('x"}'))
        next++
      }
    }
    assert.deepEqual([next, rest], [DOCUMENTS, ''])
    assert.ok(most - before <= GROWTH_MIB)
    // The page is as it was.
    await button(page, 'Close').click()
    await page.getByRole('gridcell').first().waitFor()
  })

  it(`import a CSV file of ${ROWS.toLocaleString('en')} rows but for three bad lines`, async (t) => {
    const { text, badLines, documents } = csvOfAllKinds(ROWS)
    await window.goto('/apps/garden/data/rows/import')
    const buffer = Buffer.from(text)
    await page.locator('input[type=file]').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
    await page.getByText('The first 20 documents').waitFor()
    await page.getByLabel('Leave it out, and import the rest').check()
    const since = performance.now()
    await button(page, 'Import the file').click()
    const many = documents.length.toLocaleString('en')
    await page.getByText(`Imported: ${many} new documents, 3 lines left out.`).waitFor()
    t.diagnostic(`${Math.round((1000 * ROWS) / (performance.now() - since)).toLocaleString('en')} rows/s`)
    const errors = await page.getByRole('list', { name: 'Lines that can’t be read' }).last().textContent()
    for (const line of badLines) assert.ok(errors?.includes(`Line ${line.toLocaleString('en')}:`), errors)
    for (const row of [0, ROWS - 2]) {
      const path = `/apps/garden/collections/rows?q={"_id":${row}}`
      const expected = documents.find((each) => each.startsWith(`{"_id":${row},`))
      assert.equal((await dashboard.send('GET', path, session)).text, `[${expected}]`)
    }
  })
})
