import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import type { Credential } from '../dashboard-api/start-dashboard.ts'
import { zipOf } from '../sites/deploy-bodies.ts'
import { assertFits, button, fill, goToUndocked, heading, receivedBytes } from './screen.ts'
import { servePages } from './served-pages.ts'

const DEPLOYS = '/apps/todo/deploys'
/** What a build of a page writes, and what lies beside it. */
const FIRST = {
  'index.html': '<!doctype html><title>To do</title><h1>First</h1><script src="/app.3f9a1c2b.js"></script>',
  'app.3f9a1c2b.js': 'document.title += "!"',
  'old.txt': 'old',
  '.env': 'SECRET=1',
  '.git/config': '[core]',
}
const SECOND = {
  'index.html': '<!doctype html><title>To do</title><h1>Second</h1><script src="/app.3f9a1c2b.js"></script>',
  'app.3f9a1c2b.js': FIRST['app.3f9a1c2b.js'],
  'sheaf.json': '{"redirects":[{"from":"/old","to":"/"}]}',
  'über.txt': 'new',
}

/** Drops a folder of the disk on the page, as a hand does. */
async function drop(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data })
  await session.detach()
}

function row(page: Page, version: number): Locator {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Version ${version}`, exact: true }) })
}

describe('the pages of a site', () => {
  const pages = servePages()
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-site-pages-'))
  let ada: AccountRecord
  let owner: Credential
  after(() => rmSync(folder, { recursive: true }))
  before(async () => {
    const { dashboard } = pages
    ada = await dashboard.account('ada@example.org')
    owner = await dashboard.session(ada)
    await dashboard.send('POST', '/apps', owner, { json: { slug: 'todo' } })
  })

  /** @returns its path */
  function write(name: string, files: Readonly<Record<string, string>>): string {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    return join(folder, name)
  }

  it('take a folder that is dropped, say what stays out, and show where it is', async () => {
    const { page, context, goto } = await pages.open(owner)
    await goto('/apps/todo')
    await goToUndocked(page, 'Site')
    await page.getByText('sheaf deploy FOLDER --app todo').waitFor()
    await drop(page, write('dist', FIRST))
    await page.getByText('Left out: .env, .git/').waitFor()
    await fill(page, { Message: 'first' })
    await button(page, 'Deploy').click()
    await page.getByText('Version 1 is live.').waitFor()
    await button(page, 'Choose a folder').waitFor()
    assert.equal(await button(page, 'Deploy').count(), 0)
    await page.getByText('They need a key for that, which is made below.').waitFor()
    assert.equal(await button(page, 'Make a site key').count(), 1)
    await page.getByText('Sites are below localhost').waitFor()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open the site' }).click()
    const site = await opened
    await site.getByRole('heading', { name: 'First' }).waitFor()
    assert.equal(await site.title(), 'To do!')
    assert.equal(await site.evaluate(() => document.referrer), '')
  })

  it('give the pages of the site a key that visitors may have, and take it away', async () => {
    const { page, context, goto } = await pages.open(owner)
    await goto('/apps/todo/sites')
    const section = page.getByRole('region', { name: 'Site key' })
    await button(section, 'Make a site key').click()
    const dialog = page.getByRole('alertdialog')
    const verbs = ['read: read and search', 'create: save new documents']
    for (const verb of verbs) await dialog.getByLabel(verb).uncheck()
    await dialog.getByText('Choose at least one.').waitFor()
    assert.equal(await button(dialog, 'Make a site key').isDisabled(), true)
    for (const verb of verbs) await dialog.getByLabel(verb).check()
    await fill(dialog, { Collections: 'todos' })
    await button(dialog, 'Make a site key').click()
    const key = await section.getByRole('region', { name: 'Key', exact: true }).textContent()
    const site = await context.newPage()
    await site.goto((await page.getByRole('link', { name: 'Open the site' }).getAttribute('href'))!)
    const asked = await site.evaluate(async () => {
      const { url, app, key } = await (await fetch('/_sheaf/config.json')).json()
      const statusOf = async (method: string, collection: string, body?: string) => {
        const headers = { 'X-Service-API-Key': key, 'Content-Type': 'application/json' }
        const path = `/apps/${app}/collections/${collection}`
        const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body }) })
        return answer.status
      }
      const statuses = [
        await statusOf('POST', 'todos', '{"_id":"a","text":"milk"}'),
        await statusOf('GET', 'todos'),
        await statusOf('GET', 'others'),
        await statusOf('DELETE', 'todos/a'),
      ]
      return { key, statuses }
    })
    assert.deepEqual(asked, { key: key!.trim(), statuses: [201, 200, 403, 403] })
    await section.getByRole('link', { name: 'Change its rules' }).click()
    await page.getByText('Apps and websites are fixed').waitFor()
    assert.equal(await page.getByLabel('Websites').count(), 0)
    await fill(page, { Rate: '60/min' })
    await page.getByText('only on pages of its site, at most 60 times a minute').waitFor()
    await goto('/apps/todo/activity')
    await page.getByText('websites: pages of its site').waitFor()
    await goto('/apps/todo/sites')
    await button(section, 'Revoke the site key').click()
    await button(page.getByRole('alertdialog'), 'Revoke the site key').click()
    await section.getByText('None was made.').waitFor()
  })

  it('send what is new of another version, show how it differs, and go back from it', async () => {
    const { page, context, goto } = await pages.open(owner)
    await goto('/apps/todo/sites')
    await page.locator('input[name=folder]').setInputFiles(write('second', SECOND))
    await page.getByLabel('Make it live at once').uncheck()
    const asked = page.waitForResponse('**/deploys/missing')
    await button(page, 'Deploy').click()
    await page.getByText('Version 2 is made, and not live.').waitFor()
    // Of its four files: app.3f9a1c2b.js is there.
    assert.equal((await (await asked).json()).missing.length, 3)
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Preview of version 2' }).click()
    await (await opened).getByRole('heading', { name: 'Second' }).waitFor()

    await page.getByRole('link', { name: 'Version 2', exact: true }).click()
    await heading(page, 'Version 2').waitFor()
    await page.getByText('2 added, 1 changed, 1 removed.').waitFor()
    await page.getByText('/old → / (301)').waitFor()
    await button(page, 'Make 2 live').click()
    await page.getByRole('status').getByText('Version 2 is live.').waitFor()
    await page.getByRole('link', { name: 'Site', exact: true }).last().click()
    await button(page, 'Roll back to 1').click()
    await page.getByRole('status').getByText('Version 1 is live.').waitFor()
    await button(page, 'Undo').click()
    await page.getByRole('status').getByText('Version 2 is live again.').waitFor()
    await row(page, 2).getByText('live', { exact: true }).waitFor()
  })

  it('refuse before anything is sent, and stop on the way, without a version of it', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/todo/sites')
    await page
      .locator('input[name=folder]')
      .setInputFiles(write('wrong', { '_sheaf/<b>.js': '', 'a.html': '', 'node_modules/a.js': '' }))
    await page.getByText('Of its 3 files, 1 is in node_modules.').waitFor()
    await page.getByText('_sheaf/<b>.js is in _sheaf').waitFor()
    await page.getByText('There is no index.html at its top').waitFor()
    assert.equal(await button(page, 'Deploy').isDisabled(), true)

    const zip = { name: 'site.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') }
    await page.locator('input[name=zip]').setInputFiles(zip)
    await button(page, 'Deploy').click()
    await page.getByText('No version was made; what is live stays so.').waitFor()

    await page.locator('input[name=folder]').setInputFiles(write('dist', FIRST))
    await page.getByText('Left out: .env, .git/').waitFor()
    const nothing = mkdtempSync(join(folder, 'empty-'))
    await page.locator('input[name=folder]').setInputFiles(nothing)
    await page.getByText('There is no file in it for a site.').waitFor()
    assert.equal(await button(page, 'Deploy').isDisabled(), true)

    await page.locator('input[name=folder]').setInputFiles(write('dist', FIRST))
    await page.route('**/deploys/missing', () => undefined)
    await button(page, 'Deploy').click()
    await button(page, 'Stop').click()
    await page.getByText('Stopped. No version was made.').waitFor()
    assert.equal((await pages.dashboard.send('GET', DEPLOYS, owner)).json.length, 2)
  })

  it('take a zip, and say what of it stayed out', async () => {
    const { page, context, goto } = await pages.open(owner)
    await goto('/apps/todo/sites')
    const buffer = zipOf([
      { name: 'dist/packed.html', content: '<h1>Packed</h1>' },
      { name: 'dist/.env', content: 'x' },
    ])
    await page
      .locator('input[name=zip]')
      .setInputFiles({ name: 'site.zip', mimeType: 'application/zip', buffer })
    await page.getByLabel('Make it live at once').uncheck()
    await button(page, 'Deploy').click()
    await page.getByText('There is no index.html at its top').waitFor()
    await page.getByText('1 file of the zip stayed out').click()
    await page.getByText('dist/.env', { exact: true }).waitFor()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open its preview' }).click()
    const preview = await opened
    await preview.goto(new URL('/packed', preview.url()).href)
    await preview.getByRole('heading', { name: 'Packed' }).waitFor()
  })

  it('keep as many versions as the owner says, and delete one', async () => {
    const { page, goto } = await pages.open(owner, { width: 390 })
    await goto('/apps/todo/sites')
    await fill(page, { 'How many versions are kept': '0' })
    await page.getByText('Type a whole number from 1 to 100.').waitFor()
    await fill(page, { 'How many versions are kept': '1' })
    await button(page, 'Save').click()
    const asked = page.getByRole('alertdialog')
    await asked.getByText('This deletes 2 versions: 1, 3. There is no undo.').waitFor()
    await button(asked, 'Cancel').click()
    assert.equal((await pages.dashboard.send('GET', DEPLOYS, owner)).json.length, 3)
    await fill(page, { 'How many versions are kept': '30' })
    await button(page, 'Save').click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await button(page, 'Delete version 1').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('There is no undo').waitFor()
    await assertFits(page)
    await button(dialog, 'Delete version 1').click()
    await row(page, 1).waitFor({ state: 'detached' })
    await button(page, 'Take it off line').click()
    await page.getByText('Nothing is live here.').waitFor()
    await goto('/apps/todo/sites/1')
    await page.getByText('There is no such version here.').waitFor()
  })

  it('take a domain that shows whose it is, and say what is missing for that', async () => {
    const { page, goto } = await pages.open(owner, { width: 390 })
    await goto('/apps/todo/sites')
    await fill(page, { Domain: 'todo.localhost' })
    await button(page, 'Add the domain').click()
    await page.getByRole('alert').getByText('todo.localhost leads each machine to itself').waitFor()
    await fill(page, { Domain: 'https://Shop.example.invalid/' })
    await button(page, 'Add the domain').click()
    const domain = page.getByRole('listitem').filter({ has: heading(page, 'shop.example.invalid') })
    await domain.getByText('waits to be checked').waitFor()
    await domain.getByText('Have the name lead here').waitFor()
    await domain.getByRole('region', { name: 'Name' }).getByText('_sheaf.shop.example.invalid').waitFor()
    await domain.getByText('http://shop.example.invalid/.well-known/sheaf-site').waitFor()
    await assertFits(page)
    // It would ask the resolver of the machine.
    const missing = { code: 'domain_unverified', message: 'neither the record nor the file was there' }
    await page.route('**/check', (route) => route.fulfill({ status: 409, json: missing }))
    await button(page, 'Check shop.example.invalid now').click()
    await domain.getByRole('alert').getByText('Neither the record nor the file was there.').waitFor()
    await button(page, 'Remove shop.example.invalid').click()
    await button(page.getByRole('alertdialog'), 'Remove the domain').click()
    await domain.waitFor({ state: 'detached' })
  })

  it('show whoever may only look what there is, without what changes it', async () => {
    const { page, account, goto } = await pages.signIn()
    await pages.dashboard.accounts.setShare({ app: 'todo', account: account.id, role: 'viewer' }, 'test')
    await goto('/apps/todo/sites')
    await page.getByText('You may look at this app. Its owner and editors deploy.').waitFor()
    await row(page, 2).waitFor()
    assert.deepEqual(await page.getByRole('main').getByRole('button').allInnerTexts(), ['Copy'])
    const bytes = await receivedBytes(page)
    assert.ok(bytes > 0 && bytes <= 170 * 1024, `${bytes} bytes were sent`)
  })
})
