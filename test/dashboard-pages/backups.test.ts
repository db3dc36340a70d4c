import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Download, Page } from 'playwright-core'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const DOCUMENTS = '[{"_id":7,"n":1.10},{"_id":"7","n":9007199254740993}]'

describe('a backup', () => {
  let browser: Browser
  let dashboard: Dashboard
  let session: Credential
  let window: SignedInWindow
  let page: Page
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-backups-'))
  const kept = join(folder, 'kept')
  before(async () => {
    mkdirSync(kept)
    browser = await startBrowser()
    dashboard = await Dashboard.start({ SHEAF_BACKUP_DIR: kept, SHEAF_BACKUP_KEEP: '2' })
    const account = await dashboard.account('ada@example.org', { isOperator: true })
    session = await dashboard.session(account)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'garden' } })
    const headers = { 'Content-Type': 'application/json' }
    const sent = { headers, body: DOCUMENTS }
    await dashboard.send('POST', '/apps/garden/collections/beds', session, sent)
    const credential = await dashboard.session(account, { ageMs: AGE_MS })
    window = await openSignedIn(browser, dashboard, { credential, screen: { width: 1280, height: 800 } })
    page = window.page
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
    assert.deepEqual(window.faults, [])
  })

  /** What the browser saves when a button is pressed. */
  async function saved(name: string): Promise<Download> {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
    return download
  }

  async function givePassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Your password once more' })
    await fill(dialog, { Password: PASSWORD })
    await button(dialog, 'Go on').click()
  }

  it('of an app is saved once the password was given, and becomes another app', async () => {
    await window.goto('/apps/garden/settings')
    const [file] = await Promise.all([saved('Back up the app'), givePassword()])
    assert.match(file.suggestedFilename(), /^garden-\d{8}T\d{6}Z\.zip$/)
    const path = await file.path()
    await window.goto('/apps')
    await button(page, 'Restore a backup…').click()
    const dialog = page.getByRole('dialog', { name: 'Restore a backup' })
    const choose = dialog.locator('input[type=file]')
    await choose.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') })
    await fill(dialog, { 'Slug of the new app': 'garden' })
    await dialog.getByText('You have an app of this slug.').waitFor()
    await fill(dialog, { 'Slug of the new app': 'garden-again' })
    await button(dialog, 'Restore the app').click()
    await dialog.getByRole('alert').waitFor()
    await choose.setInputFiles(path)
    await button(dialog, 'Restore the app').click()
    await heading(page, 'garden-again').waitFor()
    const restored = await dashboard.send('GET', '/apps/garden-again/collections/beds', session)
    assert.equal(restored.text, DOCUMENTS)
  })

  it('of the server is made now, of which so many are kept, and a failure is told of', async () => {
    await window.goto('/server')
    await page.getByText('when somebody asks for one; the newest 2 are kept').waitFor()
    const table = page.getByRole('table', { name: 'Backups in the folder' })
    await button(page, 'Make one now').click()
    await table.getByText(/^sheaf-\d{8}T\d{6}Z\.zip$/).waitFor()
    await assertFits(page)
    rmSync(kept, { recursive: true })
    writeFileSync(kept, 'no folder')
    await button(page, 'Make one now').click()
    await page.getByRole('alert').getByText('The last one failed').waitFor()
    assert.equal(await page.getByRole('alert').count(), 1)
    await assertFits(page)
  })

  it('of the server is saved with its secrets or without, as the page says', async () => {
    await window.goto('/server')
    await page.getByText('Whoever has the file has the server').waitFor()
    const whole = await saved('Save a backup')
    assert.match(whole.suggestedFilename(), /^sheaf-\d{8}T\d{6}Z\.zip$/)
    const wholeBytes = await readFile(await whole.path())
    assert.ok(wholeBytes.includes('tls/key.pem'))
    await page.getByLabel('With its secrets').uncheck()
    await page.getByText('After a restore no password works').waitFor()
    const without = await readFile(await (await saved('Save a backup')).path())
    assert.ok(!without.includes('tls/key.pem'))
  })
})
