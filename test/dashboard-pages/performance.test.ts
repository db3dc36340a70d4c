import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Credential } from '../dashboard-api/start-dashboard.ts'
import { missing, noteReads } from './performance-data.ts'
import { assertFits, button, goToUndocked, heading } from './screen.ts'
import { servePages } from './served-pages.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const WHY = '20 queries looked at 60000 documents too many'
const INDEXES = '/apps/garden/indexes?collection=notes'

function row(page: Page, name: RegExp): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
}

describe('the pages of what reads cost and of indexes', () => {
  const pages = servePages()
  let owner: Credential

  before(async () => {
    const { dashboard } = pages
    const account = await dashboard.account('ada@example.org')
    owner = await dashboard.session(account)
    await dashboard.send('POST', '/apps', owner, { json: { slug: 'garden' } })
    const json = Array.from({ length: 3000 }, (_, n) => ({
      _id: n,
      n,
      born: n,
      twice: n >> 1,
      user: { name: 'x' },
    }))
    await dashboard.send('POST', '/apps/garden/collections/notes', owner, { json })
    await dashboard.send('POST', INDEXES, owner, { json: { fields: 'n' } })
    const decision = { at: Date.now() - DAY_MS, what: 'built', index: 'n', why: WHY } as const
    const used = { documents: 300, credit: 1, writesSeen: 0, idleSince: 0, spared: 12_345 }
    await noteReads(dashboard, {
      ...{ app: 'garden', collection: 'notes' },
      queries: [
        { fingerprint: 'born range', account: missing('born'), slowCount: 3, milliseconds: 900 },
        {
          ...{ fingerprint: 'n eq', milliseconds: 61_000, lastPlan: { kind: 'index', index: 'n' } },
          account: { ...missing('n'), missedBenefit: 0, tried: ['n'], decision },
        },
        { fingerprint: '(every document)', milliseconds: 12 },
        { fingerprint: 'old eq', milliseconds: 1, collection: 'dropped', account: missing('old') },
      ],
      indexes: [{ name: 'n', uses: 7, lastUsedAt: Date.now(), account: used }],
    })
  })

  it('list queries by their cost, tell what helps, and make that', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden')
    await heading(page, 'garden').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await heading(page, 'Performance').waitFor()
    await row(page, /^n eq/).getByText('1 minute in all').waitFor()
    const shapes = await page.getByRole('table', { name: 'Queries' }).getByRole('rowheader').allInnerTexts()
    assert.deepEqual(
      shapes.map((text) => text.split('\n')[0]),
      ['n eq', 'born range', '(every document)', 'old eq'],
    )
    const served = row(page, /^n eq/)
    await served.getByText(`made by itself yesterday: ${WHY}`).waitFor()
    await served.getByText('by the index n').waitFor()
    await row(page, /^\(every document\)/)
      .getByText('No index would help.')
      .waitFor()
    await row(page, /^old eq/)
      .getByText('which is not there any more')
      .waitFor()
    assert.equal(await page.getByRole('button', { name: /^Make this index/ }).count(), 1)

    await page.getByLabel(/^Only those that took/).check()
    await served.waitFor({ state: 'detached' })
    assert.match(page.url(), /\?slow=1$/)
    const missed = row(page, /^born range/)
    await missed.getByText('3,000 a read, 2 found').waitFor()
    await missed.getByText('one after the other').waitFor()
    await button(missed, 'Make this index: born').click()
    await missed.getByText('It was made since the last read.').waitFor()
    await missed.getByRole('link', { name: 'born' }).click()
    await heading(page, 'Indexes of notes').waitFor()
    await row(page, /^born$/)
      .getByText('ready')
      .waitFor()
  })

  it('switch automatic indexes off and on for the owner of the app', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden/performance')
    const isOn = page.getByLabel('Make indexes for this app by itself')
    for (const on of [false, true]) {
      const put = page.waitForResponse((response) => response.request().method() === 'PUT')
      await isOn.setChecked(on)
      await put
      const { json } = await pages.dashboard.send('GET', '/apps/garden/auto-index', owner)
      assert.deepEqual(json, { on, server: true })
      assert.equal(await isOn.isChecked(), on)
    }
  })

  it('make nothing for who may look only, and say who could', async () => {
    const { account, page, goto } = await pages.signIn({ width: 390 })
    await pages.dashboard.accounts.setShare({ app: 'garden', account: account.id, role: 'viewer' }, 'test')
    await goto('/apps/garden')
    await goToUndocked(page, 'Performance')
    await row(page, /^born range/).waitFor()
    await page.getByText('They are on. The app’s owner can switch them off.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Make this index/ }).count(), 0)
    await assertFits(page)
    await goto('/apps/garden/data/notes/indexes')
    await page.getByText('You may look. Its owner and editors make and drop indexes.').waitFor()
    await row(page, /^n$/).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Drop|^Make/ }).count(), 0)
    await assertFits(page)
  })

  it('say that nothing was read yet, and what went wrong', async () => {
    const { page, goto, credential } = await pages.signIn()
    await pages.dashboard.send('POST', '/apps', credential, { json: { slug: 'empty' } })
    await goto('/apps/empty/performance')
    await page.getByText('No reads yet.').waitFor()
    const failure = { status: 500, json: { code: 'internal', message: 'something went wrong' } }
    await page.route('**/queries', (route) => route.fulfill(failure))
    await page.reload()
    await page.getByText('Something went wrong.').waitFor()
    await page.unroute('**/queries')
    await button(page, 'Try again').click()
    await page.getByText('No reads yet.').waitFor()
  })

  it('are a link away from documents, and tell how indexes are used', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden/data/notes')
    await page.getByRole('link', { name: 'Indexes', exact: true }).click()
    await heading(page, 'Indexes of notes').waitFor()
    await row(page, /^n$/).getByText('by hand').waitFor()
    await row(page, /^n$/).getByText('7 times').waitFor()
  })

  it('make an index over fields in their order, and show what keeps it from being unique', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden/data/notes/indexes')
    await heading(page, 'Make an index').waitFor()
    for (const name of ['twice', 'user.name']) {
      await page.getByLabel('Field', { exact: true }).fill(name)
      await button(page, 'Add').click()
    }
    await button(page, 'Turn the direction of user.name').click()
    await page.getByLabel(/^Unique/).check()
    await button(page, 'Make the index').click()
    const made = row(page, /twice,user\.name:-1/)
    await made.getByText('failed').waitFor()
    await made.getByText('1,500 documents have a value that one before has').waitFor()
    await made.getByText(/"x".* in 0 and 1$/).waitFor()
    await button(page, 'Drop the index twice,user.name:-1').click()
    await page.getByRole('alertdialog').getByText('No query was read by it last').waitFor()
    await button(page.getByRole('alertdialog'), 'Drop the index').click()
    await made.waitFor({ state: 'detached' })
  })

  it('say what the server refuses, and which queries get slower without an index', async () => {
    const { page, goto } = await pages.open(owner)
    await goto('/apps/garden/data/notes/indexes')
    await page.getByLabel('Field', { exact: true }).fill('n')
    await button(page, 'Add').click()
    await button(page, 'Make the index').click()
    await page.getByRole('alert').getByText('There is an index "n" already').waitFor()
    await button(page, 'Drop the index n').click()
    const dialog = page.getByRole('alertdialog', { name: 'Drop the index' })
    await dialog.getByText('n eq', { exact: true }).waitFor()
    await button(dialog, 'Drop the index').click()
    await row(page, /^n$/).waitFor({ state: 'detached' })
    const { json } = await pages.dashboard.send('GET', INDEXES, owner)
    assert.ok((json as { fields: string }[]).every(({ fields }) => fields !== 'n'))
  })
})
