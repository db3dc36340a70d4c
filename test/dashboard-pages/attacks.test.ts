import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { heading } from './screen.ts'

/** The dashboard is at `db.example.com`; one attacker has a site beside it, which gets its `SameSite=Strict` cookies. */
const HOSTS = { sibling: 'todo.example.com', foreign: 'evil.example.org' } as const
const ASSETS = readdirSync(new URL('../../dashboard/dist/assets/', import.meta.url))
const assetOf = (pattern: RegExp): string => `/_/assets/${ASSETS.find((name) => pattern.test(name))}`
const FILES = { script: assetOf(/^index-.*\.js$/), style: assetOf(/\.css$/), image: assetOf(/\.svg$/) }

/** What somebody else's page has a browser try, and what it came to there; `refused` where it got nothing. */
async function attack({
  target,
  files,
}: {
  target: string
  files: typeof FILES
}): Promise<Record<string, string>> {
  const got: Record<string, string> = {}
  const attempt = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    got[name] = await act().then(
      () => 'got',
      () => 'refused',
    )
  }
  const json = JSON.stringify({ slug: 'evil' })
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    await fetch(`${target}${path}`, { credentials: 'include', ...init })
  }
  const settled = (element: HTMLElement): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers()
    element.onload = resolve
    element.onerror = reject
    document.body.append(element)
    return promise
  }
  await attempt('read', () => ask('/_/api/apps', {}))
  for (const method of ['POST', 'PUT', 'DELETE'])
    await attempt(`${method} of JSON`, () =>
      ask('/_/api/apps', { method, headers: { 'Content-Type': 'application/json' }, body: json }),
    )
  await attempt('script', () =>
    settled(Object.assign(document.createElement('script'), { src: target + files.script })),
  )
  await attempt('script of data', () =>
    settled(Object.assign(document.createElement('script'), { src: `${target}/_/api/apps` })),
  )
  await attempt('style', () =>
    settled(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: target + files.style })),
  )
  await attempt('image', () =>
    settled(Object.assign(document.createElement('img'), { src: target + files.image })),
  )
  // What nobody hears of; whether it did something is looked up afterwards.
  await ask('/_/api/apps', { method: 'POST', mode: 'no-cors', body: json }).catch(() => undefined)
  navigator.sendBeacon(`${target}/_/api/apps`, json)
  for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
    const frame = Object.assign(document.createElement('iframe'), { name: enctype })
    await settled(frame)
    const form = document.createElement('form')
    Object.assign(form, { action: `${target}/_/api/apps`, method: 'POST', enctype, target: enctype })
    const input = Object.assign(document.createElement('input'), {
      name: '{"slug":"evil","x":"',
      value: '"}',
    })
    form.append(input)
    document.body.append(form)
    form.submit()
    // The page of another origin, or the browser's own that says why it isn't shown.
    while (frame.contentDocument !== null) await new Promise(requestAnimationFrame)
  }
  return got
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
    browser = await startBrowser({ mapped: 'MAP *.example.com 127.0.0.1, MAP *.example.org 127.0.0.1' })
    dashboard = await Dashboard.start()
    target = `https://db.example.com:${dashboard.server.port}`
    ada = await dashboard.account('ada@example.org', { isOperator: true })
    session = await dashboard.session(ada)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'todo' } })
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
    await page.goto(`https://${host}:${(open.address() as AddressInfo).port}/attack`)
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
        assert.deepEqual([...new Set(methods.map(({ hasCookie }) => hasCookie))], [kind === 'sibling'])
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
})
