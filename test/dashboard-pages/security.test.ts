import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { assertFits, button, fill } from './screen.ts'
import { servePages } from './served-pages.ts'
import type { SignedInWindow } from './signed-in-window.ts'

const SECRET = 'a-secret-made-elsewhere-for-pages'
const THINGS = '/apps/garden/collections/things'
const ADDRESSES = 'From which addresses keys may be used'
const RATE = 'How often all keys together may be used'

describe('what holds for all keys, on its page,', () => {
  const pages = servePages()
  let window: SignedInWindow
  let page: Page

  before(async () => {
    // The password was given too long ago for what opens more.
    const opened = await pages.signIn({ isOperator: true, ageMs: 11 * 60_000, stays: true })
    window = opened
    page = opened.page
    const { accounts } = pages.dashboard
    await accounts.createApp({ slug: 'garden', owner: null }, 'test')
    const key = { owner: null, name: 'web', hash: hashApiKey(SECRET), rules: UNLIMITED }
    await accounts.createKey(key, 'test')
  })

  const part = (name: string): Locator => page.getByRole('form', { name, exact: true })
  const told = (): Locator => page.getByRole('region', { name: 'What holds for all keys' })
  const save = async (name: string): Promise<void> => {
    await button(part(name), 'Save').click()
    await part(name).getByText('Saved. It holds within a second.').waitFor()
  }
  const statusByKey = async (): Promise<number> =>
    (await pages.dashboard.server.client.send('GET', THINGS, { headers: { 'X-Service-API-Key': SECRET } }))
      .status

  it('is told beside what is saved, with what is wrong, and that one shuts out where one is', async () => {
    await window.goto('/apps/garden/security')
    await told().getByText('Nothing is set that holds for all keys').waitFor()
    await fill(page, { [RATE]: '5 a day' })
    await part('Rate').getByText("can't be a rate").waitFor()
    await button(part('Rate'), 'Save').click()
    await part('Rate').getByRole('alert').waitFor()
    assert.equal(await page.getByText("can't be a rate").count(), 1)
    await fill(page, { [RATE]: '7/min' })
    await part('Rate').getByText('If this is saved: All keys of this app are used at most 7 times').waitFor()
    assert.equal(await part('Rate').getByRole('alert').count(), 0)
    await fill(page, { [RATE]: '' })
    const size = part('Size of documents')
    for (const typed of ['10kB', '-5', '0', '1048577']) {
      await fill(size, { 'Bytes of one document at most': typed })
      await size.getByText('Type digits alone, for a number from 1 to the 1,048,576').waitFor()
      assert.equal(await button(size, 'Save').isDisabled(), true)
    }
    await fill(page, { 'Bytes of one document at most': '', [ADDRESSES]: '10.0.0.0/8\n192.0.2.7' })
    const addresses = part('Addresses')
    await addresses.getByText('work only from the addresses 10.0.0.0/8 and 192.0.2.7/32.').waitFor()
    await addresses.getByText('Your address 127.0.0.1 is not in the list').waitFor()
    await told().getByText('Nothing is set that holds for all keys').waitFor()
    assert.equal(await statusByKey(), 200)
  })

  it('holds for keys when it is saved, is told with each of them, and asks for the password to be lifted', async () => {
    await save('Addresses')
    await eventuallyEqual(statusByKey, 403)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertFits(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByText('All keys of this app work only from the addresses 10.0.0.0/8 and').waitFor()
    await button(page, 'Try the request').click()
    await page.getByText('This app may not be used from this address').waitFor()
    await page.getByRole('link', { name: 'What holds for all keys' }).click()
    await fill(page, { [ADDRESSES]: '' })
    await button(part('Addresses'), 'Save').click()
    const dialog = page.getByRole('dialog', { name: 'Your password once more' })
    await fill(dialog, { Password: PASSWORD })
    await page.keyboard.press('Enter')
    await part('Addresses').getByText('Saved. It holds within a second.').waitFor()
    await eventuallyEqual(statusByKey, 200)
  })

  it('is what the form for a new key begins with', async () => {
    const defaults = part('New keys')
    await defaults.getByText('How long after it is made, such as 90d or 12h.').waitFor()
    await defaults.getByLabel('update').uncheck()
    await defaults.getByLabel('delete').uncheck()
    await fill(defaults, { Rate: '5/s', Ends: '90d' })
    await save('New keys')
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('link', { name: 'New key', exact: true }).click()
    await page.getByText('May read and create documents in every collection of the app garden').waitFor()
    assert.equal(await page.getByLabel('Rate', { exact: true }).inputValue(), '5/s')
    assert.equal(await page.getByLabel('Ends', { exact: true }).inputValue(), '90d')
  })

  it('is mended there where it can not be read, when all of that was chosen anew', async () => {
    const control = new DatabaseSync(`${pages.dashboard.server.folder}/control.sqlite`)
    control.exec(`UPDATE apps SET settings = '{"rate":7,"addresses":7,"documentBytes":7.5}'`)
    control.exec('UPDATE directory_version SET version = version + 1')
    control.close()
    await window.goto('/apps/garden/security')
    await page.getByRole('alert').getByText("addresses, rate, documentBytes can't be read").waitFor()
    await eventuallyEqual(statusByKey, 403)
    assert.equal(await page.getByLabel('Bytes of one document at most', { exact: true }).inputValue(), '')
    await fill(page, { [RATE]: '100/s' })
    assert.equal(await part('Rate').getByLabel('Set the rate as it stands here').isChecked(), true)
    await part('Rate')
      .getByText('First choose what shall hold of: the addresses, the size of documents.')
      .waitFor()
    assert.equal(await button(part('Rate'), 'Save').isDisabled(), true)
    await part('Addresses').getByLabel('Set the addresses as it stands here').check()
    await part('Size of documents').getByLabel('Set the size of documents as it stands here').check()
    await assertFits(page)
    await save('Rate')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await eventuallyEqual(statusByKey, 200)
  })

  it('is shown to others without its controls', async () => {
    const { accounts } = pages.dashboard
    const viewer = await pages.signIn()
    await accounts.setShare({ app: 'garden', account: viewer.account.id, role: 'viewer' }, 'test')
    await viewer.goto('/apps/garden/security')
    await viewer.page.getByText('Only the owner of the app changes this.').waitFor()
    await viewer.page.getByText('All keys of this app are used at most 100 times a second').waitFor()
    assert.equal(await viewer.page.getByRole('main').getByRole('button').count(), 0)
    // The key opens all apps of its owner: a viewer doesn't see it, and is not told that there is none.
    await viewer.page.getByRole('link', { name: 'Keys', exact: true }).click()
    await viewer.page.getByText('No keys of this app alone. Keys of its owner that open several').waitFor()
    await viewer.page.getByRole('link', { name: 'Overview', exact: true }).click()
    await viewer.page.getByText('of this app alone; its owner’s others are not shown').waitFor()
  })

  it('lets an operator sign tokens with another secret, and end all of them', async () => {
    const { client } = pages.dashboard.server
    const made = await client.send('POST', `/create-token/${SECRET}`)
    const headers = { 'X-Service-API-Key': `token:${JSON.parse(made.text).id_result}` }
    const statusByToken = async () => (await client.send('GET', THINGS, { headers })).status
    await window.goto('/server')
    const secrets = page.getByRole('region', { name: 'Secrets of tokens' })
    const act = async (name: string): Promise<void> => {
      await button(secrets, name).click()
      await button(page.getByRole('alertdialog'), name).click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    }
    await act('Sign with a new secret')
    await secrets.getByText('its tokens end by').waitFor()
    assert.equal(await statusByToken(), 200)
    await act('End all tokens')
    await secrets.getByText('its tokens end by').waitFor({ state: 'detached' })
    await eventuallyEqual(statusByToken, 401)
  })
})
