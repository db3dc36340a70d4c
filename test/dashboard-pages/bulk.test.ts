import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Credential } from '../dashboard-api/start-dashboard.ts'
import { assertAccessible } from './look-over.ts'
import { assertFits, button, fill } from './screen.ts'
import { servePages } from './served-pages.ts'
import type { SignedInWindow } from './signed-in-window.ts'

const pages = servePages()

for (const width of [1280, 390]) {
  describe(`what is done to many documents at once, ${width} px wide,`, () => {
    let credential: Credential
    before(async () => {
      const account = await pages.dashboard.account(`ada-${width}@example.org`)
      await pages.dashboard.accounts.createApp({ slug: `notes-${width}`, owner: account.id }, 'test')
      credential = await pages.dashboard.session(account)
    })

    async function send(method: string, path: string, body?: string): Promise<string> {
      const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
      return (
        await pages.dashboard.send(method, `/apps/notes-${width}/collections/${path}`, credential, sent)
      ).text
    }

    /** Numbers from 1, each in a document. */
    function numbered(count: number): string {
      return `[${Array.from({ length: count }, (_, i) => `{"_id":${i + 1},"n":1.10}`).join()}]`
    }

    async function openCollection(collection: string, search = ''): Promise<SignedInWindow> {
      const window = await pages.open(credential, { width })
      await window.goto(`/apps/notes-${width}/data/${collection}${search}`)
      if (width < 600) await button(window.page, 'Refine').click()
      return window
    }

    it('is an update that was looked at, of exactly as many as were counted, or nothing', async () => {
      await send('POST', 'updated', numbered(25))
      const window = await openCollection('updated', `?q=${encodeURIComponent('{"n":{"$lt":2}}')}`)
      const { page } = window
      await button(page, 'Update…').click()
      const dialog = page.getByRole('dialog', { name: 'Update documents' })
      await dialog.getByRole('radio', { name: 'all 25 that match' }).waitFor()
      await dialog.getByRole('textbox', { name: 'Modifiers' }).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{"$sett":{"n":1}}')
      await button(dialog, 'Show what changes').click()
      await dialog.getByRole('alert').getByText('$sett').waitFor()
      await dialog.getByRole('textbox', { name: 'Modifiers' }).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{"$set":{"big":9007199254740993}}')
      await page.keyboard.press('Control+Enter')
      await dialog.getByText('The first 20 of 25 documents:').waitFor()
      await dialog
        .getByRole('textbox', { name: 'What changes' })
        .getByText('9007199254740993')
        .first()
        .waitFor()
      await assertFits(page)
      await assertAccessible(page)
      await fill(dialog, { 'Type 25 to confirm': '25' })
      await send('POST', 'updated', '{"_id":26,"n":1}')
      await button(dialog, 'Update 25 documents').click()
      await dialog.getByText('26 documents match and not 25').waitFor()
      assert.equal(await send('GET', `updated?c=true&q={"big":9007199254740993}`), '0')
      await button(dialog, 'Show what changes').click()
      await fill(dialog, { 'Type 26 to confirm': '26' })
      await button(dialog, 'Update 26 documents').click()
      await dialog.getByText('26 documents matched, 26 changed.').waitFor()
      assert.equal(await send('GET', `updated?c=true&q={"big":9007199254740993}`), '26')
      await button(dialog, 'Close').click()
      await dialog.waitFor({ state: 'detached' })
    })

    it('is a deletion of few that were chosen, and those are restored', async () => {
      await send('POST', 'few', numbered(4))
      const window = await openCollection('few')
      const { page } = window
      for (const id of [1, 2, 3])
        await page
          .getByRole('checkbox', { name: String(id) })
          .first()
          .click()
      await button(page, 'Delete…').click()
      const dialog = page.getByRole('alertdialog', { name: 'Delete documents' })
      await dialog.getByText('This deletes 3 documents. For 30 seconds it can be undone.').waitFor()
      await assertFits(page)
      await assertAccessible(page)
      await button(dialog, 'Delete 3 documents').click()
      await page.getByText('3 documents deleted.').waitFor()
      assert.equal(await send('GET', 'few'), '[{"_id":4,"n":1.10}]')
      await send('POST', 'few', '{"_id":2,"n":"made again"}')
      await button(page, 'Undo').click()
      await page.getByText('2 documents restored.').waitFor()
      await page.getByText('kept as it is: 2').waitFor()
      assert.equal(
        await send('GET', 'few?s={"_id":1}'),
        '[{"_id":1,"n":1.10},{"_id":2,"n":"made again"},{"_id":3,"n":1.10},{"_id":4,"n":1.10}]',
      )
    })

    it('is a deletion of many, after their number was typed', async () => {
      await send('POST', 'many', numbered(30))
      const window = await openCollection('many', `?q=${encodeURIComponent('{"_id":{"$gt":5}}')}`)
      const { page } = window
      await button(page, 'Delete…').click()
      const dialog = page.getByRole('alertdialog', { name: 'Delete documents' })
      await dialog.getByText('This deletes 25 documents. There is no undo.').waitFor()
      await fill(dialog, { 'Type 25 to confirm': '25' })
      await send('DELETE', 'many/30')
      await button(dialog, 'Delete 25 documents').click()
      await dialog.getByText('24 documents match and not 25').waitFor()
      assert.equal(await send('GET', 'many?c=true'), '29')
      await button(dialog, 'Cancel').click()
      await button(page, 'Delete…').click()
      await fill(dialog, { 'Type 24 to confirm': '24' })
      await button(dialog, 'Delete 24 documents').click()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await send('GET', 'many?c=true'), '5')
    })
  })
}
