import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { servePages } from './served-pages.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const HOSTILE = '<img src=x onerror=alert(1)>\u202e'
const SHOWN = '<img src=x onerror=alert(1)>⟨U+202E⟩'

const DOCUMENTS = [{ _id: 1 }, { _id: 2 }, { _id: 3 }]

async function open(page: Page, collection: string, act: 'Rename…' | 'Empty…' | 'Drop…'): Promise<Locator> {
  await button(page, `Rename, empty or drop ${collection}`).click()
  await page.getByRole('menuitem', { name: act }).click()
  return page.getByRole('alertdialog', { name: `${act.slice(0, -1)} ${collection}` })
}

function row(page: Page, collection: string): Locator {
  return page.getByRole('row', { name: collection })
}

describe('collections on the pages of the data', () => {
  const pages = servePages()

  async function appOf(slug: string, more: { readonly width?: number } = {}) {
    const opened = await pages.signIn({ ageMs: AGE_MS, ...more })
    const { credential } = opened
    const send = (method: string, path: string, json?: object) =>
      pages.dashboard.send(method, `/apps/${slug}${path}`, credential, json === undefined ? {} : { json })
    await pages.dashboard.send('POST', '/apps', credential, { json: { slug } })
    assert.equal((await send('POST', '/collections/notes', DOCUMENTS)).status, 201)
    return { ...opened, send }
  }

  it('are renamed, with the keys told that stay behind, dropped and had back', async () => {
    const { page, goto, send } = await appOf('renamed')
    await send('POST', '/collections/beds', [{ _id: 1 }])
    await send('POST', '/keys', { name: 'sensor-7', rules: { apps: ['renamed'], collections: ['notes'] } })
    await goto('/apps/renamed/data')
    let dialog = await open(page, 'notes', 'Rename…')
    await dialog.getByText('sensor-7').waitFor()
    await fill(dialog, { 'New name': '$notes' })
    await dialog.getByText('it may not start with $').waitFor()
    const rename = button(dialog, 'Rename the collection')
    for (const name of ['$notes', '', 'notes']) {
      await fill(dialog, { 'New name': name })
      assert.equal(await rename.isDisabled(), true)
    }
    await fill(dialog, { 'New name': 'beds' })
    await rename.click()
    await dialog.getByRole('alert').getByText('"beds"').waitFor()
    await fill(dialog, { 'New name': '' })
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    await fill(dialog, { 'New name': HOSTILE })
    await button(dialog, 'Rename the collection').click()
    await row(page, SHOWN).waitFor()
    const path = `/collections/${encodeURIComponent(HOSTILE)}`
    assert.deepEqual((await send('GET', path)).json, DOCUMENTS)

    dialog = await open(page, SHOWN, 'Drop…')
    assert.equal(await button(dialog, 'Drop the collection').isDisabled(), true)
    await fill(dialog, { 'Type 3 to confirm': '3' })
    await button(dialog, 'Drop the collection').click()
    await page.getByText(`${SHOWN} was dropped.`).waitFor()
    await heading(page, 'Bin').waitFor()
    assert.equal(await row(page, SHOWN).count(), 0)
    assert.equal((await send('GET', path)).text, '[]')
    await button(page, 'Undo').click()
    await row(page, SHOWN).waitFor()
    await heading(page, 'Bin').waitFor({ state: 'detached' })
    assert.deepEqual((await send('GET', path)).json, DOCUMENTS)
  })

  it('are emptied in the browser of their documents, restored under another name, and removed for good', async () => {
    const { page, goto, send } = await appOf('emptied')
    await goto('/apps/emptied/data/notes')
    let dialog = await open(page, 'notes', 'Empty…')
    await fill(dialog, { 'Type 3 to confirm': '3' })
    await button(dialog, 'Empty the collection').click()
    await page.getByText('notes was emptied.').waitFor()
    await heading(page, 'No documents').waitFor()
    assert.equal((await send('POST', '/collections/notes', { _id: 9 })).status, 201)
    await button(page, 'Undo').click()
    dialog = page.getByRole('alertdialog', { name: 'Restore notes' })
    await button(dialog, 'Cancel').click()
    await page.getByText('A collection of this name was emptied: 3 documents').waitFor()
    await page.getByRole('link', { name: 'See the bin' }).click()
    await button(page, 'Restore notes with 3 documents').click()
    await fill(dialog, { Name: 'old notes' })
    await button(dialog, 'Restore the collection').click()
    await row(page, 'old notes').waitFor()
    assert.deepEqual((await send('GET', '/collections/old%20notes')).json, DOCUMENTS)

    await row(page, 'old notes').getByRole('link').click()
    dialog = await open(page, 'old notes', 'Rename…')
    await fill(dialog, { 'New name': 'last notes' })
    await button(dialog, 'Rename the collection').click()
    await page.getByRole('status').getByText('3 documents').waitFor()
    assert.equal(new URL(page.url()).pathname, '/_/apps/emptied/data/last%20notes')
    dialog = await open(page, 'last notes', 'Drop…')
    await fill(dialog, { 'Type 3 to confirm': '3' })
    await button(dialog, 'Drop the collection').click()
    await page.getByText('last notes was dropped.').waitFor()
    assert.equal((await send('POST', '/collections/last%20notes', { _id: 9 })).status, 201)
    await button(page, 'Undo').click()
    dialog = page.getByRole('alertdialog', { name: 'Restore last notes' })
    await button(dialog, 'Restore the collection').click()
    await page.getByText('last notes-restored is back.').waitFor()
    assert.deepEqual((await send('GET', '/collections/last%20notes-restored')).json, DOCUMENTS)
    assert.equal((await send('POST', '/collections/last%20notes/drop')).status, 200)

    await page.getByRole('link', { name: 'Data', exact: true }).first().click()
    await button(page, 'Remove last notes with 1 document').click()
    dialog = page.getByRole('alertdialog', { name: 'Remove last notes' })
    await fill(dialog, { 'Type 1 to confirm': '1' })
    await button(dialog, 'Remove the collection').click()
    const password = page.getByRole('dialog', { name: 'Your password once more' })
    await fill(password, { Password: PASSWORD })
    await button(password, 'Go on').click()
    const bin = page.getByRole('heading', { name: 'Bin', includeHidden: true })
    await bin.waitFor({ state: 'detached' })
    assert.deepEqual((await send('GET', '/bin')).json, [])
  })

  it('are shown with their bin and their room to who may look, who can do nothing to them', async () => {
    const { send } = await appOf('looked-at')
    const large = Array.from({ length: 11 }, () => ({ text: 'x'.repeat(1_000_000) }))
    assert.equal((await send('POST', '/collections/large', large)).status, 201)
    await send('DELETE', '/collections/large?drop=true')
    await send('POST', '/collections/beds', [{ _id: 1 }])
    await send('POST', '/collections/notes/drop')
    const { account, page, goto } = await pages.signIn({ width: 390 })
    await send('POST', '/shares', { email: account.email, role: 'viewer' })
    await goto('/apps/looked-at/data')
    await page.getByText('3 documents, dropped').waitFor()
    await page.getByText('by documents and indexes').waitFor()
    await assertFits(page)
    await page.getByText(/^11 MB, used by what is saved next/).waitFor()
    await page.getByText('sheaf compact looked-at', { exact: true }).waitFor()
    assert.deepEqual(await page.getByRole('main').getByRole('button').allTextContents(), ['Copy'])
    assert.equal(await page.getByText('by account-').count(), 0)
  })
})
