import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { prettyPrint, TOKEN } from '../../dashboard/src/data/document/pretty-print.ts'
import { stringify } from '../../src/json/stringify.ts'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { jsonScalars, jsonValues, KEYS } from '../json-values.ts'
import { randomCases } from '../random-cases.ts'
import { startBrowser } from './chromium.ts'
import { button } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const C = '/apps/notes/collections/things'
const SUBMIT = 'Control+Enter'

/** Members as the store takes them at the top of a document, with a last one that is never an object. */
const members = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS.filter((key) => !key.startsWith('$'))), jsonValues()), {
      maxLength: 5,
      selector: ([key]) => key,
    }),
    jsonScalars(),
  )
  .map(([some, last]) => [...some, ['last', last] as const])

describe('a document of which one value is changed on the page', () => {
  let browser: Browser
  let dashboard: Dashboard
  let credential: Credential
  let window: SignedInWindow
  let page: Page
  /** Of the last document; such a number stands in no other place. */
  let id = 1_000_000
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    const account = await dashboard.account('ada@example.org')
    await dashboard.accounts.createApp({ slug: 'notes', owner: account.id }, 'test')
    credential = await dashboard.session(account)
    // Wide enough that no line is broken, for keys go by lines as they are shown.
    window = await openSignedIn(browser, dashboard, { credential, screen: { width: 2560, height: 1200 } })
    page = window.page
    await save('{"_id":0,"begin":true}')
    await window.goto('/apps/notes/data/things?doc=0')
    await button(page.getByRole('region', { name: 'Document 0' }), 'Widen').click()
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
  })

  async function save(body: string): Promise<void> {
    const headers = { 'Content-Type': 'application/json' }
    const { status, text } = await dashboard.send('POST', C, credential, { headers, body })
    assert.equal(status, 201, text)
  }

  /** As a link within the page would. */
  async function open(): Promise<void> {
    await page.evaluate((doc) => history.replaceState(null, '', `?doc=${doc}`), id)
    await page
      .getByRole('region', { name: `Document ${id}`, exact: true })
      .getByRole('textbox')
      .getByText(String(id), { exact: true })
      .first()
      .waitFor()
  }

  /** Puts another line in the place of one, by the keys for that. */
  async function replaceLine(number: number, line: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Text of the document' }).focus()
    await page.keyboard.press('Control+Home')
    for (let passed = 0; passed < number; passed += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+End')
    await page.keyboard.insertText(line)
  }

  it('is stored with that value alone changed, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(members, jsonScalars(), fc.nat(), async (some, value, choice) => {
        id += 1
        const before = stringify(new Map([['_id', id], ...some]))
        const places = placesOfScalars(before).slice(1)
        const after = replaced(before, places[choice % places.length]!, stringify(value))
        if (after === before) return
        const lines = prettyPrint(after).split('\n')
        const shown = prettyPrint(before).split('\n')
        const at = lines.findIndex((line, i) => line !== shown[i])
        await save(before)
        await open()
        await replaceLine(at, lines[at]!)
        await page.keyboard.press(SUBMIT)
        await button(page, 'Save').waitFor()
        await page.keyboard.press(SUBMIT)
        await page.getByText('Saved.').waitFor()
        const { text } = await dashboard.send('GET', `${C}/${id}`, credential)
        assert.equal(text, after)
      }),
      // Five hundred with `SHEAF_SLOW_CASES=100000`, which take two to three minutes.
      { ...randomCases(0.005), endOnFailure: true },
    )
    assert.deepEqual(window.faults, [])
  })
})

/** Of the values in a text that are no objects and no arrays. */
function placesOfScalars(text: string): readonly RegExpExecArray[] {
  const tokens = [...text.matchAll(TOKEN)]
  return tokens.filter(({ 0: token }, i) => !'{}[]:,'.includes(token) && tokens[i + 1]?.[0] !== ':')
}

function replaced(text: string, { index, 0: token }: RegExpExecArray, by: string): string {
  return text.slice(0, index) + by + text.slice(index + token.length)
}
