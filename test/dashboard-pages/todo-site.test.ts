import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { runInProcess, success } from '../cli/in-process.ts'
import { ROOT } from '../docs/page.ts'
import { openWindow } from './chromium.ts'
import { servePages } from './served-pages.ts'

const PHONE = { width: 390, height: 844 }
const HOSTILE = '<img src=x onerror="document.title=1">'

describe('the example todo-site', () => {
  const pages = servePages()
  let site: string
  let data: readonly string[]

  before(() => {
    data = ['--data', pages.dashboard.server.folder]
    site = join(pages.dashboard.server.folder, 'todo-site')
    cpSync(join(ROOT, 'examples/todo-site/public'), site, { recursive: true })
  })

  const address = (host: string): string => `https://${host}.localhost:${pages.dashboard.server.port}/`
  const deploy = (...more: string[]) => success(['deploy', ...more, '--app', 'todo', ...data])
  const titles = (page: Page) => page.locator('#tasks span').allTextContents()

  async function opened(host: string): Promise<{ page: Page; broken: string[]; close: () => Promise<void> }> {
    const { context, violations } = await openWindow(pages.browser, PHONE)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => violations.push(message))
    await page.goto(address(host))
    return { page, broken: violations, close: () => context.close() }
  }

  async function add(page: Page, title: string): Promise<void> {
    await page.getByLabel('What is to be done').fill(title)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('#tasks span', { hasText: title }).waitFor()
  }

  it('keeps its tasks from a phone, by a key that is good on its own pages alone', async () => {
    await success(['app', 'create', 'todo', ...data])
    await deploy(site, '--site-key', 'read,create,update,delete')
    const { page, broken, close } = await opened('todo')
    await page.getByText('Nothing is to be done.').waitFor()
    await add(page, 'Water the plants')
    await add(page, HOSTILE)
    await page.getByRole('checkbox', { name: 'Water the plants' }).check()
    await page.getByRole('button', { name: `Remove ${HOSTILE}` }).click()
    await page.locator('li', { hasText: HOSTILE }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('checkbox', { checked: true }).waitFor()
    assert.deepEqual([await titles(page), await page.title(), broken], [['Water the plants'], 'To do', []])
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width)
    await close()
    const { key } = await config()
    const path = '/apps/todo/collections/tasks'
    for (const origin of [undefined, 'https://localhost:3000', 'https://todo.localhost', 'null'])
      assert.equal(await statusOf(path, key, origin), 403, String(origin))
    const own = address('todo').slice(0, -1)
    assert.deepEqual(
      [await statusOf(path, key, own), await statusOf('/apps/todo/collections/x', key, own)],
      [200, 200],
    )
  })

  it('has a second version, whose preview has the same tasks, and goes back to the first', async () => {
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>New</title><ul id="tasks"></ul>')
    await deploy(site, '--draft')
    const live = await opened('todo')
    assert.equal(await live.page.title(), 'To do')
    await deploy('--rollback', '2')
    await live.page.reload()
    assert.equal(await live.page.title(), 'New')
    await live.close()
    const preview = await opened('preview-1-todo')
    await preview.page.locator('#tasks span', { hasText: 'Water the plants' }).waitFor()
    assert.deepEqual(preview.broken, [])
    await preview.close()
    await deploy('--rollback')
    assert.match((await runInProcess(['deploy', '--app', 'todo', '--list', ...data])).stdout, /\n1 +live/)
  })

  async function config(): Promise<{ url: string; key: string }> {
    const { text } = await pages.dashboard.server.client.send('GET', '/_sheaf/config.json', {
      headers: { Host: `todo.localhost:${pages.dashboard.server.port}` },
    })
    return JSON.parse(text)
  }

  async function statusOf(path: string, key: string, origin?: string): Promise<number> {
    const headers = { 'X-Service-API-Key': key, ...(origin !== undefined && { Origin: origin }) }
    return (await pages.dashboard.server.client.send('GET', path, { headers })).status
  }
})
