import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Browser, Download, Page, Request } from 'playwright-core'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { csvOfAllKinds } from './csv-of-all-kinds.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const ROWS = 3000
/** Its address has what a router might take apart or decode twice. */
const COLLECTION = 'a#b%23 ü?<b>'
/** Another one, all of ASCII: a browser without a locale gives no file another name. */
const EXPORTED = 'c#%25 ?<i>'
const DOCUMENTS = [
  '{"_id":7,"n":1.10,"t":"=1+1"}',
  '{"_id":"7","n":-9223372036854775808,"t":"a\u202eb","__proto__":{"x":[1e5]}}',
  '{"_id":"a","n":null,"t":"say \\"é\\", twice\\nor more"}',
]
/** More than the buffers of a connection hold. */
const LONG = { count: 300, characters: 100_000 }

describe('a file', () => {
  let browser: Browser
  let dashboard: Dashboard
  let session: Credential
  let window: SignedInWindow
  let page: Page
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    const account = await dashboard.account('ada@example.org')
    session = await dashboard.session(account)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'garden' } })
    window = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 1280, height: 800 },
    })
    page = window.page
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    assert.deepEqual(window.faults, [])
  })

  async function send(method: string, path: string, body?: string): Promise<string> {
    const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    return (await dashboard.send(method, `/apps/garden/collections/${path}`, session, sent)).text
  }

  async function choose(name: string, text: string): Promise<void> {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  }

  /** Of a page. */
  function pathOf(collection: string): string {
    return `/apps/garden/data/${encodeURIComponent(collection)}`
  }

  /** What a browser saves when something is done. */
  async function saved(act: () => Promise<unknown>): Promise<Download> {
    const [download] = await Promise.all([page.waitForEvent('download'), act()])
    return download
  }

  async function textOf(download: Download): Promise<string> {
    return readFile(await download.path(), 'utf8')
  }

  async function openExport(search = ''): Promise<void> {
    await window.goto(`${pathOf(EXPORTED)}${search}`)
    await page.getByRole('gridcell').first().waitFor()
    await button(page, 'Export…').click()
  }

  /** What the browser saves after a click on a link. */
  async function download(link: string): Promise<Download> {
    return saved(() => page.getByRole('link', { name: link, exact: true }).click())
  }

  it('that is imported is looked at first, tells every bad line, and leaves these out where that is asked for', async () => {
    const { text, badLines, documents } = csvOfAllKinds(ROWS)
    await window.goto('/apps/garden/data')
    await fill(page, { 'Name of the collection': COLLECTION })
    await button(page, 'Choose its file').click()
    await heading(page, `Import into ${COLLECTION}`).waitFor()
    assert.equal(new URL(page.url()).pathname, `/_${pathOf(COLLECTION)}/import`)
    await choose('things.csv', text)
    await page.getByText('The first 20 documents, as they would be saved:').waitFor()
    const columns = page.getByRole('table', { name: 'Columns' })
    await columns.getByRole('row', { name: /^zip / }).getByText('"007", "007", "007"').waitFor()
    await columns.getByText('9007199254740993, 9007199254740994').waitFor()
    await page.getByLabel('Type of big').selectOption('text')
    await columns.getByText('"9007199254740993", ').waitFor()
    await page.getByLabel('Type of big').selectOption('auto')
    await columns.getByText('9007199254740993, 9007199254740994').waitFor()
    await assertFits(page)

    await button(page, 'Import the file').click()
    await page.getByRole('alert').getByText(`line ${badLines[0]}: `).waitFor()
    await page.getByText('Nothing was imported. Check the whole file').waitFor()
    const isFull = {
      code: 'quota_exceeded',
      message: 'your account may store 300 kB, and has no room for this',
    }
    await page.route('**/import?*', (route) => route.fulfill({ status: 403, json: isFull }))
    await button(page, 'Import the file').click()
    await page.getByRole('alert').getByText('Your account may store 300 kB').waitFor()
    await page.getByText('Nothing was imported.', { exact: true }).waitFor()
    await page.unroute('**/import?*')
    assert.equal(await send('GET', `${encodeURIComponent(COLLECTION)}?c=true`), '0')

    await button(page, 'Check the whole file').click()
    await page.getByText('3 lines can’t be read. Nothing was saved.').waitFor()
    const told = await textOf(await saved(() => button(page, 'Save them as CSV').click()))
    const lines = told.split('\r\n').map((each) => each.split(',', 1)[0])
    assert.deepEqual(lines, ['line', ...badLines.map(String), ''])

    await page.getByLabel('Leave it out, and import the rest').check()
    await button(page, 'Import the file').click()
    await page.getByText('Imported: 2,997 new documents, 3 lines left out.').waitFor()
    const kept = await send('GET', `${encodeURIComponent(COLLECTION)}?l=${ROWS}`)
    assert.equal(kept, `[${documents.join(',')}]`)
    await page.getByRole('link', { name: 'Show the documents' }).click()
    await page.getByRole('status').getByText('2,997 documents').waitFor()
  })

  it('that is imported is dropped anywhere on the page; what is there already is left, replaced, or a reason to do nothing', async () => {
    await send('POST', 'dropped', '[{"_id":1,"n":1.10},{"_id":3,"n":3}]')
    await window.goto('/apps/garden/data/dropped/import')
    await button(page, 'Choose a file').waitFor()
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer()
      made.items.add(new File(['[{"_id":1,"n":2.50},\n{"_id":2,"n":1e5}]'], '<b>.json'))
      return made
    })
    await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer })
    await page.getByText('The first 2 documents').waitFor()
    assert.equal(await page.getByLabel('Format').inputValue(), 'json')
    await button(page, 'Import the file').click()
    await page.getByRole('alert').waitFor()
    assert.equal(await send('GET', 'dropped'), '[{"_id":1,"n":1.10},{"_id":3,"n":3}]')
    await page.getByLabel('Keep the document that is there').check()
    await button(page, 'Import the file').click()
    await page.getByText('Imported: 1 new document, 1 kept as they were.').waitFor()
    await page.getByLabel('Put the file’s document in its place').check()
    await button(page, 'Import the file').click()
    await page.getByText('Imported: 0 new documents, 2 replaced.').waitFor()
    assert.equal(await send('GET', 'dropped'), '[{"_id":1,"n":2.50},{"_id":3,"n":3},{"_id":2,"n":1e5}]')
  })

  it('that is imported is read as MongoDB writes it where that is asked for, all of it by keys', async () => {
    const id = '5f9f1b9b9c9d440000000001'
    const line = `{"_id":{"$oid":"${id}"},"n":{"$numberLong":"9007199254740993"}}\n`
    await window.goto('/apps/garden/data/exported/import')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Choose a file').press('Enter'),
    ])
    await chooser.setFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(line) })
    await page.getByText('Line 1: the _id is MongoDB').waitFor()
    await page.getByLabel('MongoDB’s extended JSON').press('Space')
    await page.getByRole('textbox', { name: 'The first documents' }).getByText('9007199254740993}').waitFor()
    await button(page, 'Import the file').press('Enter')
    await page.getByText('Imported: 1 new document.').waitFor()
    assert.equal(await send('GET', 'exported'), `[{"_id":"${id}","n":9007199254740993}]`)
  })

  it('that is imported is stopped while it is sent, by a button or by leaving, and leaves nothing', async () => {
    const network = await window.context.newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', slow)
    const text = Array.from({ length: 20_000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(200)}"}\n`).join('')
    await window.goto('/apps/garden/data/stopped/import')
    await choose('long.ndjson', text)
    await page.getByText('The first 20 documents').waitFor()
    const isImport = (request: Request) => request.url().includes('/import?')
    for (const end of [button(page, 'Stop'), page.getByRole('link', { name: 'Overview' })]) {
      await button(page, 'Import the file').click()
      await page.getByText(/^[1-9]\d? % sent: /).waitFor()
      await Promise.all([page.waitForEvent('requestfailed', isImport), end.click()])
      await page
        .getByText(/^Stopped; nothing was imported\.$|^Documents$/)
        .first()
        .waitFor()
    }
    await network.detach()
    assert.equal(await send('GET', 'stopped?c=true'), '0')
  })

  it('that is imported is for editors, and says so to others', async () => {
    const viewer = await dashboard.account('bob@example.org')
    await dashboard.accounts.setShare({ app: 'garden', account: viewer.id, role: 'viewer' }, 'test')
    const screen = { width: 390, height: 800 }
    const credential = await dashboard.session(viewer)
    const other = await openSignedIn(browser, dashboard, { credential, screen })
    await other.goto('/apps/garden/data/dropped/import')
    await other.page.getByText('Its owner and editors import documents.').waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Choose a file' }).count(), 0)
    assert.deepEqual(other.faults, [])
    await other.context.close()
  })

  it('that is exported is each document exactly as it is stored, in the order in which they were saved', async () => {
    await send('POST', encodeURIComponent(EXPORTED), `[${DOCUMENTS.join(',')}]`)
    await openExport()
    const file = await download('Export 3 documents')
    assert.equal(await textOf(file), DOCUMENTS.map((each) => `${each}\n`).join(''))
    assert.equal(file.suggestedFilename(), 'garden-c#%2525 %3F%3Ci%3E.ndjson')
    await page.getByText('The browser saves it as it comes').waitFor()
  })

  it('that is exported is what the view shows, or a table of it that is no formula to a spreadsheet', async () => {
    await openExport(`?q=${encodeURIComponent('{"n":{"$lt":2}}')}&s=${encodeURIComponent('{"n":1}')}`)
    const dialog = page.getByRole('dialog', { name: 'Export documents' })
    await dialog.getByLabel('JSON: the same in one array').check()
    assert.equal(await textOf(await download('Export 2 documents')), `[${DOCUMENTS[1]},\n${DOCUMENTS[0]}]\n`)
    await dialog.getByLabel('CSV').check()
    assert.equal(
      await textOf(await download('Export 2 documents')),
      '_id,n,t,__proto__\r\n7,-9223372036854775808,a\u202eb,"{""x"":[1e5]}"\r\n7,1.10,=1+1,\r\n',
    )
    await dialog.getByLabel('the whole collection').check()
    await dialog.getByLabel('every field that a document has').check()
    await dialog.getByLabel('Guard against formulas').check()
    assert.equal(
      await textOf(await download('Export 3 documents')),
      '_id,n,t,__proto__\r\n7,1.10,\'=1+1,\r\n7,-9223372036854775808,a\u202eb,"{""x"":[1e5]}"\r\na,,"say ""é"", twice\nor more",\r\n',
    )
  })

  it('that is exported is the whole app, from its settings and by the palette', async () => {
    await window.goto('/apps/garden/settings')
    const file = await download('Export all collections')
    const bytes = await readFile(await file.path())
    assert.equal(bytes.toString('latin1', 0, 4), 'PK\u0003\u0004')
    await window.goto(pathOf(EXPORTED))
    await button(page, 'Export…').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.insertText('Export the')
    await page.getByRole('option', { name: 'Export the documents shown' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Export documents' }).waitFor()
  })

  it('that is exported fails where everybody sees it when the server goes in the middle', async () => {
    const text = 'x'.repeat(LONG.characters)
    const documents = Array.from({ length: LONG.count / 5 }, (_, n) => `{"n":${n},"text":"${text}"}`)
    for (let times = 0; times < 5; times++) await send('POST', 'long', `[${documents.join(',')}]`)
    await window.goto('/apps/garden/data/long')
    await button(page, 'Export…').click()
    const file = await download(`Export ${LONG.count} documents`)
    await dashboard.server.kill()
    assert.notEqual(await file.failure(), null)
  })
})
