import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addDuration, type Histogram } from '../../src/analytics/histogram.ts'
import { emptyDelta } from '../../src/analytics/traffic-delta.ts'
import type { Credential } from '../dashboard-api/start-dashboard.ts'
import { ANALYTICS, TAIL, tellOfTraffic } from './analytics-data.ts'
import { assertFits, button, goToUndocked, heading } from './screen.ts'
import { servePages } from './served-pages.ts'

const NAMES = ['sensors', '<b>website</b>']
/** Of the chart, by brotli: design, check 40. */
const CHART_BYTES = 22 * 1024

function chart(page: Page, name: string): Locator {
  return page.getByRole('slider', { name: new RegExp(`^${name}`) })
}

describe('the page of the analytics of an app', () => {
  const pages = servePages()
  let owner: Credential

  before(async () => {
    const { dashboard } = pages
    owner = await dashboard.session(await dashboard.account('ada@example.org'))
    await dashboard.send('POST', '/apps', owner, { json: { slug: 'garden' } })
    await dashboard.send('POST', '/apps/garden/collections/notes', owner, { json: {} })
  })

  it('shows what was counted over a time that is chosen in the address, and of one collection', async () => {
    const { page, goto } = await pages.open(owner)
    const asked = await tellOfTraffic(page, NAMES)
    await goto('/apps/garden')
    await heading(page, 'garden').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await heading(page, 'Analytics').waitFor()
    await page.getByText('100% more than in the 24 hours before').waitFor()
    await page.getByText('50% faster than in the 24 hours before').waitFor()
    await chart(page, 'Storage').waitFor()
    assert.equal(await page.getByRole('slider').count(), 4)
    await page.getByText('7 days', { exact: true }).click()
    await page.getByText('100% more than in the 7 days before').waitFor()
    await page.getByRole('region', { name: 'Errors', exact: true }).getByText('whole days (UTC).').waitFor()
    assert.match(page.url(), /\/analytics\?range=week$/)
    const answered = page.waitForResponse(/&collection=notes$/)
    await page.getByLabel('Collection', { exact: true }).selectOption('notes')
    await page.getByText('Of one key or collection').waitFor()
    await answered
    assert.deepEqual(asked, ['?range=day', '?range=week', '?range=week&collection=notes'])

    const keys = page.getByRole('table', { name: 'Keys', exact: true })
    await keys.getByRole('link', { name: '<b>website</b>' }).waitFor()
    await keys.getByRole('rowheader', { name: 'a key that is gone' }).waitFor()
    await keys.getByRole('rowheader', { name: 'other keys' }).waitFor()
    const csv = page.getByRole('link', { name: 'Keys as CSV' })
    assert.equal(
      await csv.getAttribute('href'),
      '/_/api/apps/garden/analytics.csv?range=week&collection=notes&table=keys',
    )
    await page.getByRole('link', { name: 'What queries cost, and what helps' }).click()
    await heading(page, 'Performance').waitFor()
  })

  it('is read off its charts by keys, by a pointer and as tables, in the colours of the page', async () => {
    const { page, goto } = await pages.open(owner)
    await tellOfTraffic(page, NAMES)
    await goto('/apps/garden/analytics')
    const requests = chart(page, 'Requests')
    await requests.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    assert.match((await requests.getAttribute('aria-valuetext'))!, /UTC: requests: 20, errors: 1$/)
    await requests.getByText('requests: 20', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await requests.getByText('requests: 240', { exact: true }).waitFor()
    const duration = chart(page, 'Duration')
    await duration.focus()
    await requests.getByText('requests: 240', { exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await duration.getByText('half took at most: none').waitFor()

    const { width } = (await requests.boundingBox())!
    await requests.hover({ position: { x: width - 24, y: 100 } })
    await requests.getByText('requests: 240', { exact: true }).waitFor()
    const [table] = await page.getByText('As a table').all()
    await table!.click()
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
    assert.match((await rows.nth(1).textContent())!, /2403$/)
    await button(page, 'Show all 24').click()
    assert.equal(await rows.count(), 25)

    const drawn = () => requests.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    const light = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction((before) => document.querySelector('canvas')!.toDataURL() !== before, light)
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => /\/chart-[^/]+$/.test(name))
        .map(({ encodedBodySize }) => encodedBodySize),
    )
    assert.equal(bytes.length, 2)
    const sum = bytes.reduce((all, of) => all + of)
    assert.ok(sum > 0 && sum <= CHART_BYTES, `the chart came in ${sum} bytes`)
  })

  it('has a place in the bar of a phone, and fits on it', async () => {
    const { page, goto } = await pages.open(owner, { width: 390 })
    await tellOfTraffic(page, NAMES)
    await goto('/apps/garden')
    await page.getByRole('link', { name: 'Analytics', exact: true }).tap()
    await chart(page, 'Requests').tap({ position: { x: 200, y: 100 } })
    await chart(page, 'Requests')
      .getByText(/^requests: /)
      .waitFor()
    await assertFits(page)
    await goToUndocked(page, 'Activity')
    await heading(page, 'Activity').waitFor()
  })

  it('says that nothing was asked yet and how to, and what went wrong', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden/analytics')
    await heading(page, 'No requests in the last 24 hours').waitFor()
    await page.getByText("curl -H 'X-Service-API-Key: YOUR_KEY'").waitFor()
    await page.getByText('curl takes its path by --cacert').waitFor()
    await page.getByRole('link', { name: 'Look at 30 days' }).click()
    await heading(page, 'No requests in the last 30 days').waitFor()
    const failure = { status: 500, json: { code: 'internal', message: 'something went wrong' } }
    await page.route(ANALYTICS, (route) => route.fulfill(failure))
    await page.reload()
    await page.getByText('Something went wrong.').waitFor()
    await page.unroute(ANALYTICS)
    await button(page, 'Try again').click()
    await heading(page, 'No requests in the last 30 days').waitFor()
  })

  it('finds what a key did with a collection', async () => {
    const { dashboard } = pages
    const { page, goto } = await pages.open(owner)
    const { json: key } = await dashboard.send('POST', '/apps/garden/keys', owner, {
      json: { name: 'sensors' },
    })
    const app = (await dashboard.accounts.listApps()).find(({ slug }) => slug === 'garden')!.id
    const now = Math.floor(Date.now() / 1000)
    const latency: Histogram = []
    for (let request = 0; request < 3; request++) addDuration(latency, 20)
    const counted = { requests: 3, bytesIn: 0, bytesOut: 5000, read: 7, written: 0, latency }
    const cell = { key: key.id, collection: 'notes', operation: 'find', status: 200, ...counted } as const
    await dashboard.accounts.addTraffic({
      ...emptyDelta(),
      minutes: [{ app, at: now - (now % 60), totals: { ...counted, errors: 0, failed: 0 } }],
      hours: [{ app, at: now - (now % 3600), cells: [cell] }],
    })
    await goto('/apps/garden/analytics?range=hour')
    const pair = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'sensors' }) })
    await pair.filter({ hasText: /notes\s*find\s*3\s*0/ }).waitFor()
    await page.getByLabel('Key', { exact: true }).selectOption('sensors')
    await page.getByText('Of one key or collection').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Requests3\D/ })
      .waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Keys as CSV' }).click()
    assert.equal((await saved).suggestedFilename(), 'garden-keys-hour.csv')
    await goto('/apps')
    await page.getByText('3 requests in the last 24 hours').waitFor()
  })

  it('shows requests as they are answered, while it is seen', async () => {
    const { page, goto } = await pages.open(owner)
    await tellOfTraffic(page, NAMES, 202)
    await goto('/apps/garden/analytics')
    await button(page, 'Start').click()
    const rows = page.getByRole('table', { name: 'Requests, the newest first' }).getByRole('row')
    await page.getByText('it could not make sure that you may still look').waitFor()
    await page.getByText('7 more requests are not shown, 2 with an error.').waitFor()
    assert.equal(await rows.count(), 201)
    assert.match((await rows.nth(1).textContent())!, /\/201\b/)
    await page.getByLabel('Show').selectOption('4')
    // An error stays while others push the oldest of all out of the list.
    assert.equal(await rows.count(), 102)
    await button(page, 'Empty the list').click()
    await rows.first().waitFor({ state: 'detached' })

    await page.unroute(TAIL)
    const [waiting, left] = [Promise.withResolvers<void>(), page.waitForEvent('requestfailed')]
    await page.route(TAIL, () => waiting.resolve())
    await button(page, 'Start').click()
    await waiting.promise
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    assert.match((await left).url(), /\/tail$/)
    await page.getByText('Paused while the page is not seen.').waitFor()
    const again = page.waitForRequest(TAIL)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await again
    await button(page, 'Pause').click()
    await page.getByText('Paused.', { exact: true }).waitFor()
  })
})
