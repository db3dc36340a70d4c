import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Credential } from '../dashboard-api/start-dashboard.ts'
import { assertAccessible } from './look-over.ts'
import { assertFits, button } from './screen.ts'
import { servePages } from './served-pages.ts'
import type { SignedInWindow } from './signed-in-window.ts'

const EDITOR = 'Text of the document'
/** How a key with `⌘` is pressed here. */
const SUBMIT = 'Control+Enter'
const HOSTILE = `{"_id":"a/b?#%\\n\u200b","<img src=x onerror=alert(1)>":"</script>\u202e{{x}}","__proto__":{"":1.10},"10":-9223372036854775808,"2":"${'é'.repeat(10_000)}"}`

const pages = servePages()

for (const width of [1280, 390]) {
  describe(`a document of the data browser, ${width} px wide,`, () => {
    let credential: Credential
    before(async () => {
      const account = await pages.dashboard.account(`ada-${width}@example.org`)
      await pages.dashboard.accounts.createApp({ slug: `notes-${width}`, owner: account.id }, 'test')
      credential = await pages.dashboard.session(account)
    })

    /** Of a collection, with what one has to do to its documents beside the page. */
    async function send(method: string, path: string, body?: string): Promise<string> {
      const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
      return (
        await pages.dashboard.send(method, `/apps/notes-${width}/collections/${path}`, credential, sent)
      ).text
    }

    async function stored(collection: string, id: string): Promise<string> {
      return send('GET', `${collection}?fo=true&q=${encodeURIComponent(`{"_id":${id}}`)}`)
    }

    async function openDocument(collection: string, id: string): Promise<SignedInWindow> {
      const window = await pages.open(credential, { width })
      await window.goto(`/apps/notes-${width}/data/${collection}?doc=${encodeURIComponent(id)}`)
      await window.page.getByRole('textbox', { name: EDITOR }).waitFor()
      return window
    }

    /** Puts another line in the place of one, by the keys for that. @param number from 1 */
    async function replaceLine(page: Page, number: number, line: string): Promise<void> {
      await page.getByRole('textbox', { name: EDITOR }).focus()
      await page.keyboard.press('Control+Home')
      for (let passed = 1; passed < number; passed += 1) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Home')
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+End')
      await page.keyboard.insertText(line)
    }

    async function replaceAll(page: Page, text: string): Promise<void> {
      await page.getByRole('textbox', { name: EDITOR }).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    }

    async function save(page: Page): Promise<void> {
      await page.keyboard.press(SUBMIT)
      await button(page, 'Save').waitFor()
      await page.keyboard.press(SUBMIT)
      await page.getByText('Saved.').waitFor()
    }

    it('shows three sides where it was changed meanwhile, and saves what both have changed', async () => {
      await send('POST', 'conflicts', '{"_id":"a","one":1,"two":2,"three":3}')
      const window = await openDocument('conflicts', '"a"')
      const { page } = window
      await replaceLine(page, 3, '"one": 10,')
      await replaceLine(page, 5, '"three": 30,"four": 4')
      await send('PUT', 'conflicts/a', '{"$set":{"two":20,"three":33}}')
      await page.keyboard.press(SUBMIT)
      await button(page, 'Save').waitFor()
      await page.keyboard.press(SUBMIT)
      const conflict = page.getByRole('region', { name: 'Somebody changed it meanwhile' })
      await conflict.getByText('"three": 33').waitFor()
      await conflict.getByText('What they changed').click()
      await conflict.getByRole('textbox', { name: 'What they changed' }).waitFor()
      await assertFits(page)
      await assertAccessible(page)
      await conflict.getByRole('radio', { name: 'Yours' }).check()
      await button(page, 'Use the merged document').click()
      await button(page, 'Save').click()
      await page.getByText('Saved.').waitFor()
      assert.equal(await stored('conflicts', '"a"'), '{"_id":"a","one":10,"two":20,"three":30,"four":4}')

      await replaceLine(page, 4, '"two": 22,')
      await send('PUT', 'conflicts/a', '{"$set":{"two":21}}')
      await page.keyboard.press(SUBMIT)
      await button(page, 'Save').click()
      await button(page, 'Overwrite theirs').click()
      await page.getByText('This overwrites what they saved.').waitFor()
      await button(page, 'Overwrite theirs').click()
      await page.getByText('Saved.').waitFor()
      assert.equal(await stored('conflicts', '"a"'), '{"_id":"a","one":10,"two":22,"three":30,"four":4}')

      await replaceLine(page, 4, '"two": 23,')
      await send('DELETE', 'conflicts/a')
      await page.keyboard.press(SUBMIT)
      await button(page, 'Save').click()
      await page.getByText('It was deleted meanwhile').first().waitFor()
      await button(page, 'Save as new').click()
      await page.getByText('Saved.').waitFor()
      assert.equal(await stored('conflicts', '"a"'), '{"_id":"a","one":10,"two":23,"three":30,"four":4}')
    })

    it('is shown as it is, whatever it holds and is called', async () => {
      await send('POST', 'hostile', HOSTILE)
      const id = JSON.stringify('a/b?#%\n\u200b')
      const window = await openDocument('hostile', id)
      const { page } = window
      await page.getByRole('textbox', { name: EDITOR }).getByText('onerror').waitFor()
      await page.getByRole('textbox', { name: EDITOR }).getByText('⟨U+202E⟩').waitFor()
      await assertFits(page)
      await assertAccessible(page)
      await replaceLine(page, 6, '"": 1.100')
      await save(page)
      assert.equal(await stored('hostile', id), HOSTILE.replace('1.10', '1.100'))
    })

    // What follows is the same however wide the window is.
    if (width < 600) return

    it('is read, saved, deleted and restored by its exact id, beside one that looks alike', async () => {
      await send('POST', 'ids', '[{"_id":7,"n":1.10},{"_id":"7","n":1.10}]')
      for (const [id, other] of [
        ['7', '"7"'],
        ['"7"', '7'],
      ] as const) {
        const before = await stored('ids', other)
        const window = await openDocument('ids', id)
        const { page } = window
        await replaceLine(page, 3, '"n": 9007199254740993')
        await page.keyboard.press(SUBMIT)
        await page.getByText('1 line changed; _id stays.').waitFor()
        await assertFits(page)
        await page.keyboard.press(SUBMIT)
        await page.getByText('Saved.').waitFor()
        assert.equal(await stored('ids', id), `{"_id":${id},"n":9007199254740993}`)
        await button(page.getByRole('region', { name: `Document ${id}` }), 'Delete').click()
        await page.getByText('1 document deleted.').waitFor()
        assert.equal(await stored('ids', id), 'null')
        assert.equal(await stored('ids', other), before)
        if (id === '7') {
          await button(page, 'Undo').click()
          await page.getByText('1 document restored.').waitFor()
          assert.equal(await stored('ids', id), `{"_id":${id},"n":9007199254740993}`)
        } else {
          await send('POST', 'ids', '{"_id":"7","n":"made again"}')
          await button(page, 'Undo').click()
          await page.getByText('Made again by somebody meanwhile, and kept as it is: "7"').waitFor()
          assert.equal(await stored('ids', id), '{"_id":"7","n":"made again"}')
        }
      }
    })

    it('is kept as a draft through a reload and the end of the session, until it is saved', async () => {
      await send('POST', 'drafts', '{"_id":"a","n":1}')
      const window = await openDocument('drafts', '"a"')
      const { page, context } = window
      await replaceLine(page, 3, '"n": 2')
      await page.getByText('Not saved yet.').waitFor()
      await page.reload()
      await page.getByText('This is what you typed before').waitFor()
      await replaceLine(page, 3, '"n": 3')
      await page.keyboard.press(SUBMIT)
      await button(page, 'Save').waitFor()
      const cookies = await context.cookies()
      await context.clearCookies()
      await button(page, 'Save').click()
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      await context.addCookies(cookies)
      await page.reload()
      await page.getByRole('textbox', { name: EDITOR }).getByText('3', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: EDITOR }).focus()
      await save(page)
      assert.equal(await stored('drafts', '"a"'), '{"_id":"a","n":3}')
      await page.reload()
      await page.getByRole('textbox', { name: EDITOR }).waitFor()
      assert.equal(await page.getByText('This is what you typed before').count(), 0)
    })

    it('is made new, copied under another _id, and told what is wrong where it is', async () => {
      await send('POST', 'made', '{"_id":"a","n":1}')
      const window = await openDocument('made', 'new')
      const { page } = window
      await replaceAll(page, '{"_id":"a","t":"Service.ServerValue.TIMESTAMP","n":01}')
      await page.getByText('Line 1: this is not valid JSON').waitFor()
      await replaceAll(page, '{"_id":"a","t":"Service.ServerValue.TIMESTAMP"}')
      await page.keyboard.press(SUBMIT)
      await page.getByRole('alert').getByText('there is a document with this _id already').waitFor()
      await replaceAll(page, '{"_id":"b","t":"Service.ServerValue.TIMESTAMP"}')
      await button(page, 'Create the document').click()
      await page.getByRole('region', { name: 'Document "b"' }).waitFor()
      assert.match(await stored('made', '"b"'), /^\{"_id":"b","t":\d+\}$/)
      await replaceLine(page, 2, '"_id": "c",')
      await page.keyboard.press(SUBMIT)
      await page.getByText('this makes a copy').waitFor()
      await button(page, 'Save as a copy').click()
      await page.getByRole('region', { name: 'Document "c"' }).waitFor()
      assert.notEqual(await stored('made', '"b"'), 'null')
      await button(page, 'Duplicate').click()
      await page.getByRole('region', { name: 'New document' }).waitFor()
      await button(page, 'Create the document').click()
      await page.getByRole('region', { name: /^Document "01/ }).waitFor()
      assert.equal(await send('GET', 'made?c=true'), '4')
    })
  })
}
