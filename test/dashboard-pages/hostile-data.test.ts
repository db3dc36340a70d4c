import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { HOSTILE_NAMES, watchHarm } from './hostile-names.ts'
import { unseenTexts } from './look-over.ts'
import { assertFits, button, fill } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const IMAGE = HOSTILE_NAMES[0]!
const SCRIPT = HOSTILE_NAMES[1]!
const TURNED = '\u202egnirts'
/** What documents may hold beside what names may. */
const TEXTS = [...HOSTILE_NAMES, 'x'.repeat(10_000), '"><svg onload=alert(1)>', '//evil.example.org/x.png']
const COLLECTION = `"><svg onload=alert(1)> ${TURNED} # ? %`
const DATA = `/apps/garden/data/${encodeURIComponent(COLLECTION)}`
const STORED = `/apps/garden/collections/${encodeURIComponent(COLLECTION)}`
const EDITOR = 'Text of the document'

/** With each of the texts as its `_id`, but for those that are too long for one, as keys, as values, and deep within. */
const DOCUMENTS = TEXTS.map((text, n) => {
  const hostile = Object.fromEntries(TEXTS.map((each) => [each, each]))
  const _id = text.slice(0, 512)
  return {
    _id,
    ...hostile,
    [SCRIPT]: `${SCRIPT}${n}`,
    nested: { list: [hostile, [hostile]], [text]: { [text]: text } },
  }
})

describe('documents that were made to do harm', () => {
  let browser: Browser
  let dashboard: Dashboard
  let credential: Credential
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    const account = await dashboard.account('ada@example.org', { name: IMAGE })
    await dashboard.accounts.createApp({ slug: 'garden', owner: account.id }, 'test')
    credential = await dashboard.session(account)
    await send('POST', STORED, DOCUMENTS)
    await send('POST', `/apps/garden/indexes?collection=${encodeURIComponent(COLLECTION)}`, {
      fields: SCRIPT,
      unique: true,
    })
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  async function send(method: string, path: string, json?: unknown): Promise<void> {
    const { status, text } = await dashboard.send(
      method,
      path,
      credential,
      json === undefined ? {} : { json },
    )
    assert.ok(status < 300, text)
  }

  /** A window with what nobody wants of it: boxes, requests to others, and what breaks the policy. */
  async function open(width: number, search: Readonly<Record<string, string>>): Promise<SignedInWindow> {
    const window = await openSignedIn(browser, dashboard, { credential, screen: { width, height: 800 } })
    const { page, faults } = window
    watchHarm(page, dashboard, faults)
    await window.goto(`${DATA}?${new URLSearchParams(search)}`)
    return window
  }

  async function close({ context, faults }: SignedInWindow): Promise<void> {
    assert.deepEqual(faults, [])
    await context.close()
  }

  /** That what shows is text, all of which can be seen and none of which makes the page wider. */
  async function assertTame(page: Page): Promise<void> {
    await assertFits(page)
    assert.deepEqual(await unseenTexts(page), [], page.url())
    const made = page.locator(
      '[onerror], [onload], [href^="javascript:" i], [src="x"], svg[onload], script:not([src])',
    )
    assert.equal(await made.count(), 0)
  }

  function query(page: Page): Locator {
    return page.getByRole('textbox', { name: 'Query' })
  }

  async function find(page: Page, q: string): Promise<void> {
    await query(page).press('Control+a')
    await page.keyboard.insertText(q)
    await page.keyboard.press('Enter')
  }

  async function replaceAll(editor: Locator, text: string): Promise<void> {
    await editor.press('Control+a')
    await editor.page().keyboard.insertText(text)
  }

  it('are shown as text in the table and its menus', async () => {
    const window = await open(1280, {})
    const { page } = window
    await page.getByRole('status').getByText(`${TEXTS.length} documents`).waitFor()
    await page.getByRole('gridcell', { name: IMAGE }).first().hover()
    await assertTame(page)
    await page.getByRole('columnheader', { name: IMAGE }).first().click()
    await page.getByRole('menuitem', { name: 'Hide', exact: true }).waitFor()
    await assertTame(page)
    await close(window)
  })

  it('are searched, put in order and named', async () => {
    const window = await open(390, {})
    const { page } = window
    await page.getByRole('status').getByText(`${TEXTS.length} documents`).waitFor()
    await assertTame(page)
    await page.getByText('JSON', { exact: true }).click()
    await page.getByText(SCRIPT).first().waitFor()
    await assertTame(page)
    await button(page, 'Refine').click()
    await button(page, 'Sort').click()
    const sort = page.getByRole('dialog', { name: 'Sort' })
    await sort.getByText('No path reaches a field with a dot in its own name.').waitFor()
    await fill(sort, { 'Field to sort by': `${TURNED}${'x'.repeat(1000)}` })
    await button(sort, 'Add').click()
    await page.getByRole('dialog', { name: /^Sort: ⟨U\+202E⟩/ }).waitFor()
    await assertTame(page)
    await page.keyboard.press('Escape')
    await button(page, 'Fields: all').click()
    await page.getByRole('checkbox', { name: SCRIPT, exact: true }).check()
    await assertTame(page)
    await page.keyboard.press('Escape')
    await find(page, `{${JSON.stringify(IMAGE)}:{"$exists":${JSON.stringify(TURNED)}}}`)
    await page.getByRole('alert').getByText('Unknown operator $exists').waitFor()
    await assertTame(page)
    await find(page, `{"a":{"$regex":${JSON.stringify(`(${IMAGE}${TURNED}`)}}}`)
    await page.getByRole('alert').getByText('alert(1)').waitFor()
    await assertTame(page)
    await find(page, `{${JSON.stringify(IMAGE)}:${JSON.stringify(IMAGE)}}`)
    await page.getByRole('status').getByText(`${TEXTS.length} documents of`).waitFor()
    await button(page, 'Queries').click()
    const list = page.getByRole('dialog', { name: 'Queries' })
    await fill(list, { 'Name of this query': `${SCRIPT}${TURNED}` })
    await button(list, 'Keep').click()
    await button(list, `Forget ${SCRIPT}⟨U+202E⟩gnirts`).waitFor()
    await assertTame(page)
    await button(list, `Forget ${SCRIPT}⟨U+202E⟩gnirts`).click()
    await close(window)
  })

  it('are changed, with the words of the server and of somebody else beside', async () => {
    const window = await open(390, { doc: JSON.stringify(IMAGE) })
    const { page } = window
    const editor = page.getByRole('textbox', { name: EDITOR })
    await editor.getByText(SCRIPT).first().waitFor()
    await assertTame(page)
    const mine = { _id: IMAGE, [TURNED]: SCRIPT, [SCRIPT]: `${SCRIPT}1` }
    await replaceAll(editor, JSON.stringify(mine))
    await page.keyboard.press('Control+Enter')
    await button(page, 'Save').waitFor()
    await assertTame(page)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText(`another document has the same "${SCRIPT}"`).waitFor()
    await assertTame(page)
    await button(page, 'Back').click()
    await send('POST', STORED, { _id: IMAGE, [TURNED]: `${TURNED}${'x'.repeat(10_000)}`, [SCRIPT]: 'theirs' })
    await replaceAll(editor, JSON.stringify({ ...mine, [SCRIPT]: IMAGE }))
    await page.keyboard.press('Control+Enter')
    await button(page, 'Save').click()
    const conflict = page.getByRole('region', { name: 'Somebody changed it meanwhile' })
    await conflict.getByText('What they changed').click()
    await conflict.getByRole('textbox', { name: 'What they changed' }).waitFor()
    await assertTame(page)
    await button(page, 'Overwrite theirs').click()
    await page.getByText('This overwrites what they saved.').waitFor()
    await button(page, 'Overwrite theirs').click()
    await page.getByText('Saved.').waitFor()
    await button(page, 'Delete').first().click()
    await page.getByText('1 document deleted.').waitFor()
    await send('POST', STORED, { ...mine, [SCRIPT]: 'made again' })
    await button(page, 'Undo').click()
    await page
      .getByText(`Made again by somebody meanwhile, and kept as it is: ${JSON.stringify(IMAGE)}`)
      .waitFor()
    await assertTame(page)
    await close(window)
  })

  it('are changed many at once, after a look at what becomes of them', async () => {
    const window = await open(390, {})
    const { page } = window
    await button(page, 'Refine').click()
    await button(page, 'Update…').click()
    const dialog = page.getByRole('dialog', { name: 'Update documents' })
    const modifiers = dialog.getByRole('textbox', { name: 'Modifiers' })
    await replaceAll(modifiers, JSON.stringify({ [`$${IMAGE}${TURNED}`]: { a: 1 } }))
    await button(dialog, 'Show what changes').click()
    await dialog.getByRole('alert').getByText(IMAGE).waitFor()
    await assertTame(page)
    await replaceAll(
      modifiers,
      JSON.stringify({ $set: { [IMAGE]: `${SCRIPT}${TURNED}${'x'.repeat(10_000)}` } }),
    )
    await button(dialog, 'Show what changes').click()
    await dialog.getByRole('textbox', { name: 'What changes' }).getByText('⟨U+202E⟩').first().waitFor()
    await assertTame(page)
    await close(window)
  })

  it('are asked for by addresses in which anything stands', async () => {
    for (const search of [
      { q: IMAGE, s: SCRIPT, f: TURNED, doc: IMAGE },
      {
        q: JSON.stringify({ $and: IMAGE }),
        s: JSON.stringify({ [IMAGE]: SCRIPT }),
        f: JSON.stringify([SCRIPT]),
      },
      { doc: JSON.stringify(`${IMAGE}${TURNED}${'x'.repeat(400)}`) },
    ]) {
      const window = await open(390, search)
      const { page } = window
      await page.getByRole('alert').or(page.getByText('There is no such document')).first().waitFor()
      await assertTame(page)
      await close(window)
    }
  })
})
