import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { openSignedIn } from './signed-in-window.ts'

const C = '/apps/notes/collections/things'
const EDITOR = 'Text of the document'
const KEYS = 30
/**
 * Each is measured so often, and the least counts: what shares a core with this one makes the same work take up to twice
 * the processor's time for a while, and never less.
 */
const ROUNDS = 3
/** What each may take of the page's thread, in ms. */
const MOST = { open: 500, key: 16, difference: 500 }

/** A document of nearly a mebibyte, in which each field has a number that no double holds. */
function longDocument(): string {
  const field = (n: number) => `"field ${n}":{"n":9007199254740993,"price":1.10,"list":[${n},"é",null]}`
  const fields: string[] = []
  for (let n = 0, bytes = 12; bytes < 1_000_000; n += 1) {
    fields.push(field(n))
    bytes += Buffer.byteLength(field(n)) + 1
  }
  return `{"_id":"long",${fields.join()}}`
}

/**
 * A watch for what acts take of the page's thread, as the processor's time in ms, which other work of the machine doesn't change.
 */
async function startWatch(page: Page): Promise<(act: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const sum = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  return async (act) => {
    const before = await sum()
    await act()
    return (await sum()) - before
  }
}

/** The least of some measurements, one after the other. */
async function leastOf(measure: () => Promise<number>): Promise<number> {
  const measured: number[] = []
  while (measured.length < ROUNDS) measured.push(await measure())
  return Math.min(...measured)
}

describe('a document of a mebibyte', () => {
  let browser: Browser
  let dashboard: Dashboard
  let credential: Credential
  const text = longDocument()
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    const account = await dashboard.account('ada@example.org')
    await dashboard.accounts.createApp({ slug: 'notes', owner: account.id }, 'test')
    credential = await dashboard.session(account)
    const headers = { 'Content-Type': 'application/json' }
    for (const body of ['{"_id":"short"}', text])
      assert.equal((await dashboard.send('POST', C, credential, { headers, body })).status, 201)
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  it('opens, takes keys and shows a difference in time, and is saved exactly but for what was typed', async (t) => {
    const { page, faults, goto } = await openSignedIn(browser, dashboard, {
      credential,
      screen: { width: 1280, height: 800 },
    })
    // By this the code is there, which is loaded once.
    await goto('/apps/notes/data/things?doc="short"')
    const editor = page.getByRole('textbox', { name: EDITOR })
    const back = page.getByRole('button', { name: 'Back', exact: true })
    await editor.waitFor()
    const spent = await startWatch(page)
    const open = await spent(async () => {
      await page.getByText('"long"').click()
      await editor.getByText('"field 0"').waitFor()
    })
    await editor.focus()
    await page.keyboard.press('Control+Home')
    for (let line = 0; line < 3; line += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.insertText(',"more":"')
    const key = await leastOf(async () => {
      const keys: number[] = []
      for (let count = 0; count < KEYS; count += 1) keys.push(await spent(() => page.keyboard.press('x')))
      return keys.sort((one, other) => one - other)[KEYS / 2]!
    })
    await page.keyboard.insertText('"')
    const difference = await leastOf(async () => {
      // Back to the text, where the difference is shown.
      if (await back.isVisible()) await back.click()
      await editor.focus()
      return spent(async () => {
        await page.keyboard.press('Control+Enter')
        await page.getByText('unchanged lines').first().waitFor()
      })
    })
    for (const [what, taken] of Object.entries({ open, key, difference })) {
      const most = MOST[what as keyof typeof MOST]
      t.diagnostic(`${what}: ${taken.toFixed(1)} ms of ${most}`)
      assert.ok(taken <= most, `${what} took ${taken.toFixed(1)} ms`)
    }
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    const { text: saved } = await dashboard.send('GET', `${C}/long`, credential)
    assert.equal(
      saved,
      text.replace('"n":9007199254740993', `"n":9007199254740993,"more":"${'x'.repeat(ROUNDS * KEYS)}"`),
    )
    assert.deepEqual(faults, [])
  })
})
