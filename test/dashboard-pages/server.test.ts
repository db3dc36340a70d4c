import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import type { Alert } from '../../src/domain/alerts.ts'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { NO_QUOTA } from '../../src/domain/quota.ts'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { assertAccessible } from './look-over.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { type SignedInAccount, servePages } from './served-pages.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const HOSTILE = `<img src=x onerror=alert(1)>\u202e{{x}}${'é'.repeat(60)}`
const NEARLY_FULL = { level: 'low', freeBytes: 3.21e9, diskBytes: 500e9 }
const SHOWN = HOSTILE.replace('\u202e', '⟨U+202E⟩')

async function givePassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your password once more' })
  await fill(dialog, { Password: PASSWORD })
  await button(dialog, 'Go on').click()
}

/** The text that is shown once in the section, which is then put away. */
async function takeShown(page: Page): Promise<string> {
  const shown = (await page.locator('pre').textContent())!
  await button(page, 'Done').click()
  return shown
}

const pages = servePages({ env: { SHEAF_WEBHOOK_HOSTS: '127.0.0.1' } })

describe('what an account may have, on a phone,', () => {
  it('is set for all and for one, and the account sees what it has of it, and why more is refused', async () => {
    const { page, goto } = await pages.signIn({ width: 390, isOperator: true })
    const own = await pages.signIn({ width: 390, email: 'quota@example.org' })
    await pages.dashboard.accounts.createApp({ slug: 'first', owner: own.account.id }, 'test')
    await goto('/server?email=quota@')
    const section = page.getByRole('region', { name: 'What an account may have' })
    await button(section, 'Change what an account may have').click()
    const dialog = page.getByRole('alertdialog')
    await fill(dialog, { 'API keys': 'few' })
    await dialog.getByText('Type a whole number, or none.').waitFor()
    assert.equal(await button(dialog, 'Change what an account may have').isDisabled(), true)
    await fill(dialog, { 'API keys': '', Apps: '2', 'Storage, in MB': '2.5' })
    await assertFits(page)
    await button(dialog, 'Change what an account may have').click()
    await section.getByText('2.5 MB').waitFor()
    await assertFits(page)

    await button(page, 'Limits of quota@example.org').click()
    await dialog.getByText('it has 1 app; empty: as for all, 2 apps').waitFor()
    await fill(dialog, { Apps: '1', 'Storage, in MB': 'none' })
    await assertAccessible(page)
    await button(dialog, 'Save the limits').click()
    await dialog.waitFor({ state: 'detached' })
    const quota = {
      own: { apps: 1, bytes: null },
      limits: { apps: 1, keys: null, bytes: null, requestsPerDay: null },
    }
    assert.deepEqual(await pages.dashboard.accounts.findQuota(own.account.id), quota)

    await own.goto('/account')
    await own.page.getByText('1 of 1 app; nothing is left').waitFor()
    await assertFits(own.page)
    await own.goto('/apps')
    await fill(own.page, { Slug: 'second' })
    await own.page.getByRole('button', { name: 'Make the app' }).click()
    await own.page.getByText('The quota of this account is 1 app,').waitFor()
    await pages.dashboard.accounts.putDefaultQuota(NO_QUOTA, 'test')
  })
})

for (const width of [1280, 390]) {
  describe(`the server's page, ${width} px wide,`, () => {
    it('shows nothing of the server to who is no operator', async () => {
      const { account, page, goto } = await pages.signIn({ width })
      await goto('/server')
      await page.getByText('Only an operator of this server sees this page.').waitFor()
      assert.equal(await page.getByText('Audit trail').count(), 0)
      await button(page, `Account: ${account.email}`).click()
      await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
      assert.equal(await page.getByRole('menuitem', { name: 'Server' }).count(), 0)
    })

    it('invites, lets somebody back in, deletes an account, and shows that it was done', async () => {
      const victim = await pages.dashboard.account('bob@example.org', { name: HOSTILE })
      const totp = { account: victim.id, secret: Buffer.from('A'.repeat(32)), step: 1, recoveryHashes: [] }
      await pages.dashboard.accounts.enableTotp(totp, 'test')
      await pages.dashboard.accounts.createApp({ slug: `weaving-${width}`, owner: victim.id }, 'test')
      const ada = { name: 'Ada', isOperator: true }
      const { page, goto } = await pages.signIn({ width, ...ada, ageMs: AGE_MS })
      await goto('/apps')
      await button(page, 'Account: Ada').click()
      await page.getByRole('menuitem', { name: 'Server' }).click()
      await heading(page, 'Server').waitFor()
      await page.getByText(SHOWN).waitFor()
      await assertFits(page)

      await fill(page, { 'E-mail, if the link is for one address alone': 'grace@example.org' })
      await button(page, 'Make an invitation link').click()
      await page.getByText('The link is good once').waitFor()
      assert.match(await takeShown(page), /^https:\/\/\S+\/_\/invite#\S+$/)
      await page.getByLabel('as an operator').check()
      await button(page, 'Make an invitation link').click()
      await givePassword(page)
      await page.getByText('The link is good once').waitFor()
      await assertFits(page)
      const link = await takeShown(page)

      await button(page, 'Make a reset link for bob@example.org').click()
      await page.getByText('Give this link to bob@example.org').waitFor()
      assert.match(await takeShown(page), /\/_\/reset#/)
      await button(page, 'Take the second factor of bob@example.org away').click()
      await button(page.getByRole('alertdialog'), 'Take the second factor away').click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'on', exact: true }).waitFor({ state: 'detached' })
      assert.equal((await pages.dashboard.accounts.findAccount({ id: victim.id }))?.hasTotp, false)

      await button(page, 'Remove all ways in to bob@example.org').click()
      await button(page.getByRole('alertdialog'), 'Remove all ways in').click()
      await page.getByText('Give this link to bob@example.org').waitFor()
      await assertFits(page)
      assert.match(await takeShown(page), /\/_\/reset#/)
      assert.equal((await pages.dashboard.accounts.findCredentials({ id: victim.id }))?.password, '')

      await button(page, 'Delete the account bob@example.org').click()
      const dialog = page.getByRole('alertdialog', { name: 'Delete the account' })
      await dialog.getByText(`weaving-${width}`).waitFor()
      await dialog.getByLabel('They are deleted').check()
      await fill(dialog, { 'Type bob@example.org to confirm': 'bob@example.org' })
      await assertFits(page)
      await button(dialog, 'Delete the account').click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(SHOWN).waitFor({ state: 'detached' })
      assert.equal(await pages.dashboard.accounts.findAccount({ id: victim.id }), undefined)

      const audit = page.getByRole('region', { name: 'Audit trail' })
      await audit.getByText('account.delete').waitFor()
      assert.doesNotMatch((await audit.textContent())!, new RegExp(new URL(link).hash.slice(1)))
      await assertFits(page)
    })

    it('searches accounts by e-mail, some at a time, and says how the server is', async () => {
      const { account, page, goto } = await pages.signIn({ width, isOperator: true })
      for (let number = 10; number < 32; number += 1)
        await pages.dashboard.account(`many-${width}-${number}@example.org`)
      const slug = `knitting-${width}`
      await pages.dashboard.accounts.createApp({ slug, owner: account.id }, 'test')
      await goto(`/server?email=MANY-${width}`)
      const accounts = page.getByRole('table', { name: 'Accounts' })
      await accounts.getByRole('rowheader', { name: `many-${width}-29@example.org` }).waitFor()
      assert.equal(await accounts.getByRole('row').count(), 21)
      await button(page, 'Show more accounts').click()
      await accounts.getByRole('rowheader', { name: `many-${width}-31@example.org` }).waitFor()
      await fill(page, { 'Search by e-mail': 'nobody@' })
      await page.getByText('No account has this in its e-mail.').waitFor()
      assert.equal(new URL(page.url()).search, '?email=nobody%40')

      const apps = page.getByRole('table', { name: 'The largest apps' })
      await apps.getByRole('row', { name: new RegExp(`^${slug} ${account.email} [\\d.]+ kB`) }).waitFor()
      const health = page.getByRole('region', { name: 'Health' })
      await health.getByText('are answered').waitFor()
      await health.getByText(`on Node.js ${process.version}`).waitFor()
      const certificates = page.getByRole('region', { name: 'Certificates' })
      const { fingerprint256 } = new X509Certificate(pages.dashboard.server.ca)
      await certificates.getByText(fingerprint256).waitFor()
      await certificates.getByText(/^in 82\d days, on /).waitFor()
      await certificates.getByText('The server makes it anew').waitFor()
      await assertFits(page)
    })

    it('tells an operator on every page that the disk is nearly full, and nobody else', async () => {
      const openOnFullDisk = async (isOperator: boolean): Promise<SignedInAccount> => {
        const signedIn = await pages.signIn({ width, isOperator })
        await signedIn.page.route(/_\/api\/(session|server)$/, async (route) => {
          const response = await route.fetch()
          const { disk, storage, ...rest } = await response.json()
          const json = {
            ...rest,
            ...(disk && { disk: NEARLY_FULL }),
            storage: { ...storage, ...NEARLY_FULL },
          }
          await route.fulfill({ response, json })
        })
        await signedIn.goto('/account')
        return signedIn
      }
      const { page } = await openOnFullDisk(true)
      const told = page.getByText('The server’s disk is nearly full: 3.21 GB of 500 GB are free.')
      await told.waitFor()
      await assertFits(page)
      await page.getByRole('link', { name: 'See what takes room' }).click()
      const storage = page.getByRole('region', { name: 'Storage' })
      await storage.getByText('nearly full', { exact: true }).waitFor()
      await storage.getByText('Remove deleted apps').waitFor()
      await told.waitFor()
      await assertFits(page)
      await assertAccessible(page)
      const { page: other } = await openOnFullDisk(false)
      await heading(other, 'Account').waitFor()
      assert.equal(await other.getByText('nearly full').count(), 0)
    })

    it('searches the audit trail by what stands in its address, and reads on behind the first entries', async () => {
      const { account, page, goto } = await pages.signIn({ width, isOperator: true })
      for (let number = 1; number <= 60; number += 1)
        await pages.dashboard.account(`u-${width}-${number}@example.org`)
      const slug = `spinning-${width}`
      const by = { account: account.id, name: account.email, address: '192.0.2.7' }
      const app = await pages.dashboard.accounts.createApp({ slug, owner: account.id }, by)
      const key = { owner: account.id, name: 'web', hash: hashApiKey(slug), rules: UNLIMITED }
      await pages.dashboard.accounts.createKey(key, { ...by, app: app.id })
      await goto(`/server?subject=u-${width}&action=account.create`)
      const audit = page.getByRole('region', { name: 'Audit trail' })
      const table = audit.getByRole('table', { name: 'Changes, the newest first' })
      await table.getByRole('cell', { name: `u-${width}-60@example.org` }).waitFor()
      assert.equal(await table.getByRole('row').count(), 51)
      await button(audit, 'Show older changes').click()
      await table.getByRole('cell', { name: `u-${width}-1@example.org`, exact: true }).waitFor()
      assert.equal(await table.getByRole('columnheader').count(), 5)

      await fill(audit, { What: '', Of: '', 'From address': '2.0.2', App: slug })
      await table.getByRole('cell', { name: `web in the app ${slug}`, exact: true }).waitFor()
      await table.getByRole('cell', { name: slug, exact: true }).waitFor()
      assert.equal(await table.getByRole('cell', { name: `${account.email} from 192.0.2.7` }).count(), 2)
      assert.equal(await table.getByRole('row').count(), 3)
      assert.equal(new URL(page.url()).search, `?address=2.0.2&app=${slug}`)
      await fill(audit, { Who: '%' })
      await button(audit, 'Show all changes').click()
      await table.getByRole('cell', { name: `u-${width}-60@example.org` }).waitFor()
      assert.equal(new URL(page.url()).search, '')
    })
  })
}

describe("alerts on the server's page", () => {
  it('are told on every page, and to a webhook that is set, tried and taken away', async (t) => {
    // The first message is about what fires.
    const statuses = [204, 500, 204]
    const receiver = createServer((_, response) => response.writeHead(statuses.shift() ?? 204).end())
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    t.after(() => receiver.close())
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const firing: Alert = {
      ...{ id: '01', kind: 'wal', subject: 'the app a', message: `the log of ${HOSTILE} is long` },
      ...{ raisedAt: Date.now() - 3_600_000, endedAt: null },
    }
    const ended = Array.from({ length: 6 }, (_, number) => ({ ...firing, id: `1${number}`, endedAt: number }))
    await pages.dashboard.accounts.putAlerts([firing, ...ended])
    t.after(() => pages.dashboard.accounts.putAlerts([{ ...firing, endedAt: Date.now() }]))

    const { page, goto } = await pages.signIn({ isOperator: true, ageMs: AGE_MS })
    await goto('/apps')
    await page.getByText('The server needs you:').waitFor()
    await page.getByRole('link', { name: 'See the alerts' }).click()
    const alerts = page.getByRole('region', { name: 'Alerts' })
    const wrong = alerts.getByRole('table', { name: 'Wrong now' })
    await wrong.getByRole('row', { name: `Write-ahead log the log of ${SHOWN} is long 1 hour ago` }).waitFor()
    const over = alerts.getByRole('table', { name: 'Has ended' })
    assert.equal(await over.getByRole('row').count(), 6)
    await button(alerts, 'Show all 6').click()
    assert.equal(await over.getByRole('row').count(), 7)

    await fill(alerts, { Address: 'http://10.0.0.1/' })
    await button(alerts, 'Set the webhook').click()
    await givePassword(page)
    await alerts.getByText('but for hosts that the server was started with').waitFor()
    await fill(alerts, { Address: url })
    await button(alerts, 'Set the webhook').click()
    await alerts.getByText('Messages are signed by this secret').waitFor()
    const secret = await takeShown(page)
    assert.match(secret, /^whsec_/)
    await button(alerts, 'Send a test message').click()
    await alerts.getByText('127.0.0.1 answered with the status 500', { exact: true }).waitFor()
    await button(alerts, 'Send a test message').click()
    await alerts.getByText('The webhook took it.').waitFor()
    await alerts.getByText(/, taken$/).waitFor()

    await button(alerts, 'Make a new secret').click()
    await button(page.getByRole('alertdialog'), 'Make a new secret').click()
    await alerts.getByText('Messages are signed by this secret').waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await assertFits(page)
    assert.notEqual(await takeShown(page), secret)
    await button(alerts, 'Remove the webhook').click()
    await button(page.getByRole('alertdialog'), 'Remove the webhook').click()
    await button(alerts, 'Set the webhook').waitFor()
    assert.equal(await pages.dashboard.accounts.setting('alert_webhook'), undefined)
  })
})
