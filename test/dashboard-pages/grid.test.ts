import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { startBrowser } from './chromium.ts'
import { assertFits, button } from './screen.ts'
import { openSignedIn, type SignedInWindow } from './signed-in-window.ts'

const LONG = 'x'.repeat(10_000)
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const MOVIES = [
  `{"_id":7,"title":"a\\u202eb\\nc","n":1.10,"crew":{"Director":"Hayao","<b>":{"a":1},"__proto__":1,"x":2}}`,
  `{"_id":"7","title":"<img src=x onerror=alert(1)>","n":-9223372036854775808,"list":[1e5,"b",null,true]}`,
  `{"_id":"${ULID}","title":"${LONG}","n":null,"list":[],"__proto__":"=1+1","":false}`,
  ...Array.from({ length: 297 }, (_, i) => `{"_id":${100 + i},"title":"t${i}","n":${1764416000000 + i}}`),
]
const WIDE = Array.from({ length: 1000 }, (_, row) => {
  const fields = Array.from({ length: 200 }, (_, column) => `"c${column}":${row * column}`)
  return `{"_id":${row},${fields.join(',')}}`
})

describe('the table of documents', () => {
  let browser: Browser
  let dashboard: Dashboard
  let session: Credential
  let window: SignedInWindow
  let page: Page
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    session = await dashboard.session(await dashboard.account('ada@example.org'))
    await dashboard.send('POST', '/apps', session, { json: { slug: 'garden' } })
    await save('movies', MOVIES)
    await save('wide', WIDE)
    window = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 1280, height: 800 },
    })
    page = window.page
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  after(async () => {
    await window.context.close()
    await dashboard.close()
    await browser.close()
    assert.deepEqual(window.faults, [])
  })

  async function save(collection: string, documents: readonly string[]): Promise<void> {
    const headers = { 'Content-Type': 'application/json' }
    const body = `[${documents.join(',')}]`
    const { status } = await dashboard.send('POST', `/apps/garden/collections/${collection}`, session, {
      headers,
      body,
    })
    assert.ok(status < 300)
  }

  async function open(search = '', collection = 'movies'): Promise<void> {
    await window.goto(`/apps/garden/data/${collection}${search}`)
    await page
      .getByRole('status')
      .getByText(/ documents$/)
      .waitFor()
    await row(2).getByRole('gridcell').nth(1).getByText(/./).first().waitFor()
  }

  /** @param index as screen readers are told it: 1 of the heads */
  function row(index: number): Locator {
    return page.locator(`[role=row][aria-rowindex="${index}"]`)
  }

  function cell(index: number, column: number): Locator {
    return row(index).locator(`[aria-colindex="${column}"]`)
  }

  async function focused(): Promise<readonly [string | null, string | null]> {
    return page.evaluate(() => {
      const { activeElement } = document
      const rowIndex = activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex') ?? null
      return [rowIndex, activeElement?.getAttribute('aria-colindex') ?? null]
    })
  }

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key)
  }

  function chosen(): Promise<number> {
    return page.locator('[role=row][aria-selected=true]').count()
  }

  it('shows every value as it is stored, ids as JSON, and what nobody could see', async () => {
    await open()
    const heads = await page.getByRole('columnheader').evaluateAll((all) => all.map((head) => head.ariaLabel))
    assert.equal(
      heads.join('; '),
      'Choose; _id, number, text; title, text; n, number, null; crew, object; list, array; __proto__, text; , true or false',
    )
    const texts = (index: number) =>
      row(index)
        .getByRole('gridcell')
        .evaluateAll((all) => all.slice(1).map((each) => each.textContent))
    assert.deepEqual(await texts(2), ['7', 'a⟨U+202E⟩b⏎c', '1.10', '{ 4 }', '', '', ''])
    const image = '<img src=x onerror=alert(1)>'
    assert.deepEqual(await texts(3), ['"7"', image, '-9223372036854775808', '', '[ 4 ]', '', ''])
    const cut = `${'x'.repeat(100)}…`
    assert.deepEqual(await texts(4), [`"${ULID}"`, cut, 'null', '', '[ 0 ]', '=1+1', 'false'])
    assert.equal(await cell(4, 3).getAttribute('data-length'), '10,000')
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '301')
    await assertFits(page)
  })

  it('tells more of a value where the pointer or the focus rests', async () => {
    await open()
    const tip = page.getByRole('tooltip')
    await cell(2, 5).hover()
    await tip.getByText('"Director": "Hayao"').waitFor()
    const lines = await tip.locator('div').allTextContents()
    assert.deepEqual(lines, ['"Director": "Hayao"', '"<b>": {…}', '"__proto__": 1', '1 more'])
    await press('Escape')
    await tip.waitFor({ state: 'detached' })
    await cell(4, 2).focus()
    await tip.getByText('2016-07-30T23:54:10.259Z').waitFor()
    assert.equal(await cell(4, 2).getAttribute('aria-describedby'), await tip.getAttribute('id'))
    await press('ArrowRight')
    await tip.getByText('10,000 characters in all').waitFor()
    await press('ArrowDown', 'ArrowRight')
    await tip.getByText('2025-11-29T11:33:20.000Z').waitFor()
  })

  it('is one stop of the Tab key, and goes by keys to every cell', async () => {
    await open()
    await button(page, 'New document').focus()
    await press('Tab')
    assert.deepEqual(await focused(), ['2', '2'])
    await press('ArrowDown', 'ArrowRight', 'End')
    assert.deepEqual(await focused(), ['3', '8'])
    await press('Home', 'ArrowRight', 'Control+End')
    assert.deepEqual(await focused(), ['301', '2'])
    await cell(301, 2).getByText('396', { exact: true }).waitFor()
    await press('PageUp', 'Control+Home', 'ArrowUp')
    assert.deepEqual(await focused(), ['1', '2'])
    await press('Shift+Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'New document')
  })

  it('opens a document by Enter and by a click, and by j and k those beside it', async () => {
    await open()
    await cell(3, 2).focus()
    await press('Enter')
    await page.waitForURL((url) => url.searchParams.get('doc') === '"7"')
    await page.locator('[role=row][aria-current=true][aria-rowindex="3"]').waitFor()
    await cell(2, 3).click()
    await page.waitForURL((url) => url.searchParams.get('doc') === '7')
    await cell(2, 3).focus()
    await press('j')
    await page.waitForURL((url) => url.searchParams.get('doc') === '"7"')
    await press('k')
    await page.waitForURL((url) => url.searchParams.get('doc') === '7')
    await button(page, 'Close the document').click()
    await page.waitForURL((url) => !url.searchParams.has('doc'))
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'gridcell')
    assert.deepEqual(await focused(), ['2', '3'])
  })

  it('chooses one, a stretch and all that are loaded, and copies what is stored', async () => {
    await open()
    await cell(2, 4).focus()
    await press('Control+c')
    await page.getByText('Copied from 1 document').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '1.10')
    await press('Space', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp')
    assert.equal(await chosen(), 3)
    await press('Control+c')
    await page.getByText('Copied from 3 documents').waitFor()
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      [
        `7\t"a\u202eb\nc"\t1.10\t{"Director":"Hayao","<b>":{"a":1},"__proto__":1,"x":2}\t\t\t`,
        '7\t<img src=x onerror=alert(1)>\t-9223372036854775808\t\t[1e5,"b",null,true]\t\t',
        `${ULID}\t${LONG}\tnull\t\t[]\t=1+1\tfalse`,
      ].join('\n'),
    )
    await page.getByLabel('Choose "7"').click()
    await button(page, 'Copy 2 documents').click()
    await page.getByText('Copied from 2 documents').first().waitFor()
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^7\t"a((?!<img).)*\n01ARZ.*$/s)
    await cell(8, 3).click({ modifiers: ['Shift'] })
    assert.equal(await chosen(), 7)
    await press('Control+a')
    assert.equal(await page.getByLabel('Choose all that are loaded').isChecked(), true)
    await page.getByLabel('Choose all that are loaded').click()
    assert.equal(await chosen(), 0)
  })

  it('has its columns arranged by a menu, which the browser remembers', async () => {
    await open()
    const names = () => page.locator('[data-name]').evaluateAll((all) => all.map((head) => head.textContent))
    const menu = page.getByRole('menu')
    const item = (name: string) => menu.getByRole('menuitem', { name, exact: true })
    await page.getByRole('columnheader', { name: 'n, number, null' }).click()
    await item('Move left').click()
    await press('Escape')
    await menu.waitFor({ state: 'detached' })
    assert.deepEqual(await focused(), ['1', '3'])
    await press('ArrowRight', 'ArrowRight', 'Enter')
    await item('Hide').press('Enter')
    await menu.waitFor({ state: 'detached' })
    const arranged = ['12Ab_id', '12∅n', 'Abtitle', '[ ]list', 'Ab__proto__', 'T/F']
    assert.deepEqual(await names(), arranged)
    await page.reload()
    await row(2).getByText('1.10').waitFor()
    assert.deepEqual(await names(), arranged)
    await page.getByRole('columnheader', { name: 'title, text' }).click()
    const before = (await page.locator('[data-name=title]').boundingBox())!.width
    await item('Wider').click()
    await item('Show crew').click()
    await page.locator('[data-name=crew]').waitFor()
    assert.equal((await page.locator('[data-name=title]').boundingBox())!.width, before + 64)
    await item('All columns as they were found').click()
    assert.deepEqual((await names()).slice(0, 3), ['12Ab_id', 'Abtitle', '12∅n'])
  })

  it('moves three rows with a wheel, and says in the address where it is', async () => {
    await open()
    await cell(5, 3).hover()
    await page.mouse.wheel(0, 96)
    await page.waitForURL((url) => url.searchParams.get('at') === '3')
    await page.mouse.wheel(0, 9_600_000)
    await cell(301, 2).getByText('396', { exact: true }).waitFor()
    await window.goto('/apps/garden/data/movies?at=200')
    const first = cell(202, 2)
    await first.getByText('297', { exact: true }).waitFor()
    const head = (await row(1).boundingBox())!
    assert.equal((await first.boundingBox())!.y, head.y + head.height)
  })

  it('marks for a moment what has changed behind one’s back', async () => {
    await open()
    const changed = await dashboard.send('PUT', '/apps/garden/collections/movies/110', session, {
      json: { title: 'changed' },
    })
    assert.equal(changed.status, 200)
    await button(page, 'Find').click()
    const marked = page.locator('[role=row][data-changed]')
    await marked.getByText('changed', { exact: true }).waitFor()
    assert.equal(await marked.count(), 1)
    await marked.waitFor({ state: 'detached' })
  })

  it('draws of 200 columns and 1,000 rows what is on screen', async () => {
    await open('', 'wide')
    await cell(2, 2).focus()
    await press('End')
    assert.deepEqual(await focused(), ['2', '202'])
    await press('Control+End')
    await cell(1001, 202).getByText('198801', { exact: true }).waitFor()
    const elements = await page.evaluate(() => document.querySelectorAll('*').length)
    assert.ok(elements <= 3000, `${elements} elements`)
    await press('Home', 'ArrowRight')
    assert.deepEqual(await focused(), ['1001', '2'])
  })

  it('is JSON, a field a line, where that is chosen', async () => {
    await open('?view=json')
    const lines = await row(1).locator('[aria-colindex="2"] > div').allTextContents()
    assert.deepEqual(lines, [
      '{',
      '  "_id": 7,',
      '  "title": "a⟨U+202E⟩b\\nc",',
      '  "n": 1.10,',
      '  "crew": { "Director": "Hayao", "<b>": {…}, "__proto__": 1, … 1 more }',
      '}',
    ])
    await row(1).locator('[aria-colindex="2"]').focus()
    await press('ArrowDown', 'Space', 'Control+c')
    await page.getByText('Copied from 1 document').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), MOVIES[1])
    await press('Control+End')
    await row(300).getByText('396').waitFor()
  })

  it('is cards on a phone, each with its id and three fields', async () => {
    const phone = await openSignedIn(browser, dashboard, {
      credential: session,
      screen: { width: 390, height: 844, colorScheme: 'dark' },
    })
    await phone.goto('/apps/garden/data/movies')
    const third = phone.page.locator('[role=row][aria-rowindex="3"]')
    await third.getByText(`"${ULID}"`).waitFor()
    const shown = await third.locator('bdi').allTextContents()
    assert.deepEqual(shown, [`"${ULID}"`, 'title', `${'x'.repeat(100)}…`, 'n', 'null', 'list', '[ 0 ]'])
    await assertFits(phone.page)
    await third.getByText('null').click()
    await phone.page.waitForURL((url) => url.searchParams.get('doc') === `"${ULID}"`)
    assert.deepEqual(phone.faults, [])
    await phone.context.close()
  })
})
