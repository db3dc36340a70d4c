import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { button, fill, heading } from './screen.ts'

const LINK = /https:\/\/\S+\/_\/setup#\S+/
const MOST_CLICKS = 12
const MOST_MS = 3 * 60 * 1000
/** For which somebody looks at the page before the next step. */
const STEP_MS = 300
/** More stops of the Tab key than any page has. */
const MOST_STOPS = 80

/** How somebody gets at what is on a page. */
interface Hand {
  readonly type: (field: Locator, text: string) => Promise<void>
  readonly press: (target: Locator) => Promise<void>
}

describe('a first start', () => {
  let browser: Browser
  let server: ServerProcess
  let page: Page
  let faults: string[]
  before(async () => {
    browser = await startBrowser()
  })
  after(() => browser.close())

  async function start(width: number): Promise<string> {
    server = await startServer()
    const { context, violations } = await openWindow(browser, { width, height: 800 })
    faults = violations
    page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    return LINK.exec(server.greeting)![0]
  }

  afterEach(async () => {
    await page.context().close()
    await server.dispose()
    assert.deepEqual(faults, [])
  })

  const field = (label: string) => page.getByLabel(label, { exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })

  /** From the link of the greeting to a key; answers its secret, and the first lines to use it by. */
  async function makeKey(setup: string, { type, press }: Hand): Promise<{ secret: string; lines: string }> {
    await page.goto(setup)
    await type(field('E-mail'), 'ada@example.org')
    await type(field('Name'), 'Ada Lovelace')
    await type(field('Password'), PASSWORD)
    await press(button(page, 'Make the account'))
    await type(field('Slug'), 'garden')
    await press(button(page, 'Make the app'))
    const lines = (await page.getByRole('region', { name: 'Example for curl' }).textContent())!
    await press(link('Keys'))
    await press(link('New key'))
    await type(field('Name'), 'gate')
    await press(page.getByLabel('create', { exact: true }))
    await press(button(page, 'Make the key'))
    const secret = (await page.getByRole('region', { name: 'Secret' }).textContent())!
    return { secret, lines }
  }

  /** Runs the lines of the page as they are, but for the key and the certificate that the page speaks of. */
  async function assertWorks({ secret, lines }: { secret: string; lines: string }): Promise<void> {
    const script = lines.replaceAll('YOUR_KEY', secret).replaceAll('curl -H', 'curl -sfH')
    const env = { ...process.env, CURL_CA_BUNDLE: join(server.folder, 'tls', 'cert.pem') }
    const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', script], { env })
    assert.match(stdout, /"text":"hello"[\s\S]*"text":"hello"/)
  }

  for (const width of [1280, 390])
    it(`leads in a few clicks to a key that curl is let in by, ${width} px wide`, async () => {
      const setup = await start(width)
      let clicks = 0
      let steps = 0
      const press = async (target: Locator): Promise<void> => {
        clicks++
        steps++
        await target.click()
      }
      const type = async (target: Locator, text: string): Promise<void> => {
        await press(target)
        steps++
        await page.keyboard.insertText(text)
      }
      const beganAt = performance.now()
      const made = await makeKey(setup, { press, type })
      const took = performance.now() - beganAt + steps * STEP_MS
      assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`)
      assert.ok(took < MOST_MS, `${took} ms`)
      await assertWorks(made)
    })

  it('leads there by keys alone, and every dialog keeps the focus and gives it back', async () => {
    const setup = await start(1280)
    const focus = async (target: Locator): Promise<void> => {
      await target.waitFor()
      for (let stop = 0; stop < MOST_STOPS; stop++) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      assert.fail(`Tab does not come to ${target}`)
    }
    const press = async (target: Locator): Promise<void> => {
      await focus(target)
      const isBox = (await target.getAttribute('type')) === 'checkbox'
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    }
    const type = async (target: Locator, text: string): Promise<void> => {
      await focus(target)
      await page.keyboard.type(text)
    }
    await assertWorks(await makeKey(setup, { press, type }))

    await press(page.getByRole('button', { name: /^Account: / }))
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    const menu = page.getByRole('button', { name: /^Account: / })
    assert.ok(await menu.evaluate((element) => element === document.activeElement), 'the menu gives it back')
    await press(menu)
    await page.keyboard.press('Enter')
    await heading(page, 'Account').waitFor()

    for (const [opener, dialog] of [
      [button(page, 'Delete your account'), page.getByRole('alertdialog')],
      [page.getByRole('button', { name: /^Search or jump/ }), page.getByRole('dialog')],
    ] as const) {
      await press(opener)
      await dialog.waitFor()
      const isFocusInside = () => document.activeElement!.closest('[role$="dialog"]') !== null
      await page.waitForFunction(isFocusInside)
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press(stop < 8 ? 'Tab' : 'Shift+Tab')
        await page.waitForFunction(isFocusInside)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.ok(
        await opener.evaluate((element) => element === document.activeElement),
        `${opener} has it again`,
      )
    }
  })

  it('makes one account where its link is used twice at once', async () => {
    const setup = await start(1280)
    const others = await openWindow(browser, { width: 1280, height: 800 })
    const pages = [page, await others.context.newPage()]
    for (const [index, each] of pages.entries()) {
      await each.goto(setup)
      await fill(each, { 'E-mail': `ada${index}@example.org`, Name: 'Ada', Password: PASSWORD })
    }
    await Promise.all(pages.map((each) => button(each, 'Make the account').click()))
    const ends = await Promise.all(
      pages.map((each) =>
        Promise.race([
          heading(each, 'Apps')
            .waitFor()
            .then(() => 'made'),
          each
            .getByRole('alert')
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    )
    assert.deepEqual(ends.toSorted(), ['made', 'refused'])
    await others.context.close()
  })
})
