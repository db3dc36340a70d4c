import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { deployDirectly } from '../sites/deploy-directly.ts'
import { attack, FILES } from './attack.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { heading } from './screen.ts'

/**
 * The dashboard is at `db.example.com`; one attacker has a site beside it, which gets its `SameSite=Strict` cookies, and
 * another one that the same server serves, on the same port.
 */
const HOSTS = {
  sibling: 'todo.example.com',
  foreign: 'evil.example.org',
  served: 'todo.sites.example.com',
} as const
/** What the site that the server serves has: it lets itself do everything. */
const SITE = {
  'attack.html': '<!doctype html><title>attack</title>',
  'worker.js':
    "addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim()));" +
    "addEventListener('fetch', (e) => e.respondWith(new Response('taken')))",
  'sheaf.json': JSON.stringify({
    headers: [{ for: '/*', set: { 'Service-Worker-Allowed': '/', 'Access-Control-Allow-Origin': '*' } }],
  }),
}
describe('pages of others against a dashboard where somebody is signed in', () => {
  let browser: Browser
  let dashboard: Dashboard
  let ada: AccountRecord
  let session: Credential
  let context: BrowserContext
  let violations: string[]
  let target: string
  /** A server without any defence, against which every attack succeeds. */
  let open: Server
  const done: { readonly method: string; readonly hasCookie: boolean }[] = []

  before(async () => {
    browser = await startBrowser({
      mapped: 'MAP *.example.com 127.0.0.1, MAP *.example.org 127.0.0.1',
      takesWorkers: true,
    })
    dashboard = await Dashboard.start({ SHEAF_SITES_DOMAIN: 'sites.example.com' })
    target = `https://db.example.com:${dashboard.server.port}`
    ada = await dashboard.account('ada@example.org', { isOperator: true })
    session = await dashboard.session(ada)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'todo' } })
    deployDirectly(dashboard.server.folder, 'todo', SITE)
    // What the server answers after a change it has read anew.
    await dashboard.send('PATCH', '/apps/todo/settings', session, { json: { rate: '1000/s' } })
    const tls = join(dashboard.server.folder, 'tls')
    open = createServer({
      cert: readFileSync(join(tls, 'cert.pem')),
      key: readFileSync(join(tls, 'key.pem')),
    })
    open.on('request', async ({ method = '', headers, url = '' }, response) => {
      if (url === '/attack') return response.end('<!doctype html><title>attack</title>')
      const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const
      const bodies = {
        js: '',
        css: '',
        svg: readFileSync(new URL('../../dashboard/src/mark.svg', import.meta.url)),
      }
      const kind = /\.(js|css|svg)$/.exec(url)?.[1] as keyof typeof types | undefined
      if (!['GET', 'OPTIONS'].includes(method)) done.push({ method, hasCookie: headers.cookie !== undefined })
      response.writeHead(200, {
        'Access-Control-Allow-Origin': headers.origin ?? '*',
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Headers': 'content-type',
        'Access-Control-Allow-Methods': 'PUT, DELETE',
        'Content-Type': kind === undefined ? 'text/javascript' : types[kind],
      })
      response.end(kind === undefined ? '[]' : bodies[kind])
    })
    open.listen(0, '127.0.0.1')
    await once(open, 'listening')
    const opened = await openWindow(browser, { width: 1280, height: 800 })
    context = opened.context
    violations = opened.violations
    await signIn()
  })
  after(async () => {
    await browser.close()
    open.closeAllConnections()
    open.close()
    await dashboard.close()
  })

  /** With the cookie as the server sets it. */
  async function signIn(): Promise<void> {
    const page = await context.newPage()
    await page.goto(`${target}/_/sign-in`)
    await page.getByLabel('E-mail', { exact: true }).fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'todo').waitFor()
    await page.close()
  }

  async function pageOf(host: string): Promise<Page> {
    const page = await context.newPage()
    const { port } = host === HOSTS.served ? dashboard.server : (open.address() as AddressInfo)
    await page.goto(`https://${host}:${port}/attack`)
    return page
  }

  async function state(): Promise<unknown[]> {
    const read = (path: string) => dashboard.send('GET', path, session)
    return [
      (await read('/account/sessions')).json.length,
      (await read('/apps')).json,
      (await read('/server/audit')).text,
      (await read('/account')).text,
    ]
  }

  for (const [kind, host] of Object.entries(HOSTS))
    describe(`from ${host}`, () => {
      let page: Page
      beforeEach(async () => {
        page = await pageOf(host)
      })
      afterEach(() => page.close())

      it('would read and change a server without defences', async () => {
        const target = `https://db.example.com:${(open.address() as AddressInfo).port}`
        const got = await page.evaluate(attack, { target, files: FILES })
        assert.deepEqual([...new Set(Object.values(got))], ['got'])
        const methods = done.splice(0)
        assert.deepEqual(methods.map(({ method }) => method).sort(), [
          'DELETE',
          'POST',
          'POST',
          'POST',
          'POST',
          'POST',
          'POST',
          'PUT',
        ])
        assert.deepEqual([...new Set(methods.map(({ hasCookie }) => hasCookie))], [kind !== 'foreign'])
      })

      it('read nothing and change nothing', async () => {
        const was = await state()
        const got = await page.evaluate(attack, { target, files: FILES })
        assert.deepEqual([...new Set(Object.values(got))], ['refused'])
        assert.deepEqual(await state(), was)
        assert.ok(!JSON.stringify(was).includes('evil"'))
      })

      it('can neither frame it nor keep a hold of its window', async () => {
        const blocked = page.waitForEvent('requestfailed', (request) => request.url() === `${target}/_/apps`)
        await page.evaluate((src) => {
          document.body.append(Object.assign(document.createElement('iframe'), { src }))
        }, `${target}/_/apps`)
        await blocked
        assert.ok(page.frames().every((frame) => !frame.url().startsWith(target)))

        const isHeld = async (address: string): Promise<boolean> => {
          const popup = page.waitForEvent('popup')
          await page.evaluate((url) => {
            Object.assign(window, { held: window.open(url) })
          }, address)
          const opened = await popup
          await opened.waitForLoadState()
          const held = await page.evaluate(() => !(window as unknown as { held: Window }).held.closed)
          await opened.close()
          return held
        }
        assert.equal(await isHeld(`https://db.example.com:${(open.address() as AddressInfo).port}/`), true)
        assert.equal(await isHeld(`${target}/_/apps`), false)
      })

      it('lead there by a link, which opens signed in', async () => {
        await page.evaluate((href) => {
          document.body.replaceChildren(
            Object.assign(document.createElement('a'), { href, textContent: 'go' }),
          )
        }, `${target}/_/apps/todo/keys`)
        await page.getByText('go').click()
        await heading(page, 'Keys').waitFor()
        assert.equal(page.url(), `${target}/_/apps/todo/keys`)
      })
    })

  it('can’t sign somebody out or in by a cookie of the domain above', async () => {
    const page = await pageOf(HOSTS.sibling)
    await page.evaluate(() => {
      const names = ['__Host-sheaf-session', 'sheaf-session', '__host-sheaf-session', ' __Host-sheaf-session']
      const paths = ['/', '/_/']
      for (const cookie of names.flatMap((name) => paths.map((path) => `${name}=evil; path=${path}`))) {
        // biome-ignore lint/suspicious/noDocumentCookie: that is what such a page has.
        document.cookie = `${cookie}; domain=example.com; secure`
      }
    })
    assert.match(await page.evaluate(() => document.cookie), /sheaf-session=evil/)
    await page.goto(`${target}/_/apps`)
    await heading(page, 'todo').waitFor()
    await page.close()
    assert.deepEqual(violations, [])
  })

  it('of a site of the same server read nothing of the API without a key', async () => {
    const page = await pageOf(HOSTS.served)
    const got = await page.evaluate(async (url) => {
      const ask = (init: RequestInit): Promise<number | string> =>
        fetch(`${url}/apps/todo/collections`, init).then(
          ({ status }) => status,
          () => 'refused',
        )
      return [await ask({}), await ask({ credentials: 'include' })]
    }, target)
    assert.deepEqual(got, [401, 'refused'])
    await page.close()
  })

  // The last: from here on every page of that site is the worker's.
  it('of a site of the same server keep what they store, and who works for them, to themselves', async () => {
    const page = await pageOf(HOSTS.served)
    const own = await page.evaluate(async () => {
      localStorage.setItem('sheaf', 'evil')
      const paths = ['/_/', '/_/api/session', '/_/api/apps', '/_/health/live', '/apps', '/validate_key']
      const statuses = await Promise.all(paths.map(async (path) => (await fetch(path)).status))
      await navigator.serviceWorker.register('/worker.js', { scope: '/' })
      await navigator.serviceWorker.ready
      return statuses
    })
    assert.deepEqual(own, [404, 404, 404, 404, 404, 404])
    await page.goto(page.url())
    assert.equal(await page.textContent('body'), 'taken')
    await page.goto(`${target}/_/apps`)
    await heading(page, 'todo').waitFor()
    const seen = await page.evaluate(async () => [
      localStorage.getItem('sheaf'),
      navigator.serviceWorker.controller,
      (await navigator.serviceWorker.getRegistrations()).length,
    ])
    assert.deepEqual(seen, [null, null, 0])
    await page.close()
    assert.deepEqual(violations, [])
  })
})
