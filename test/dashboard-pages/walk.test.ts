import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Dashboard, PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { HOSTILE_COLLECTION, HOSTILE_NAMES, type Populated, populate, watchHarm } from './hostile-names.ts'
import { assertAccessible, assertFocusSeen } from './look-over.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn } from './signed-in-window.ts'

/** For longer than the password is good for. */
const AGE_MS = 11 * 60 * 1000
const HEIGHT = 800
/** What is left of 1280 px at twice the size. */
const ZOOMED = { width: 640, height: HEIGHT / 2 }

type Act = (page: Page) => Promise<unknown>

interface Walked {
  readonly path: string
  /** Resolves when all is there that the page reads. */
  readonly isThere: Act
  /** What is done on it then, one after the other, each up to something else that shows. */
  readonly acts?: readonly Act[]
}

/** All pages of whoever is signed in. A page that is not in it is not walked over. */
function pagesOf({ slug, key }: Populated): readonly Walked[] {
  const app = `/apps/${slug}`
  return [
    {
      path: '/apps',
      isThere: (page) => heading(page, 'Deleted apps').waitFor(),
      acts: [writeWrongSlug, openAccountMenu, removeDeletedApp],
    },
    { path: app, isThere: (page) => page.getByText('__proto__').waitFor() },
    { path: `${app}/data`, isThere: (page) => page.getByRole('cell').first().waitFor() },
    {
      path: `${app}/data/${encodeURIComponent(HOSTILE_COLLECTION)}`,
      isThere: (page) => page.getByRole('status').getByText('8 documents').waitFor(),
      acts: [writeWrongQuery, openFields, openDocument],
    },
    {
      path: `${app}/data/${encodeURIComponent(HOSTILE_COLLECTION)}/import`,
      isThere: (page) => button(page, 'Choose a file').waitFor(),
      acts: [chooseFile, importWrongly],
    },
    {
      path: `${app}/keys`,
      isThere: (page) => page.getByRole('cell').first().waitFor(),
      acts: [openPalette, openShortcuts],
    },
    {
      path: `${app}/keys/new`,
      isThere: (page) => page.getByText('May read documents').waitFor(),
      acts: [writeWrongRule, makeKey],
    },
    {
      path: `${app}/keys/${key}`,
      isThere: (page) => heading(page, 'Revoke').waitFor(),
      acts: [tryRequest, endKeyTokens],
    },
    { path: `${app}/activity`, isThere: (page) => page.getByRole('cell').first().waitFor() },
    {
      path: `${app}/settings`,
      isThere: (page) => page.getByRole('listitem').first().waitFor(),
      acts: [(page) => deleteApp(page, slug)],
    },
    {
      path: '/account',
      isThere: (page) => button(page, 'End the token __proto__').waitFor(),
      acts: [setUpFactor, endToken, deleteAccount, makeToken],
    },
    {
      path: '/server',
      isThere: (page) => page.getByText('app.share').first().waitFor(),
      acts: [makeResetLink],
    },
    { path: '/absent', isThere: (page) => heading(page, 'There is nothing at this address').waitFor() },
    { path: '/apps/absent', isThere: (page) => heading(page, 'There is no such app here').waitFor() },
  ]
}

async function writeWrongQuery(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).press('Control+a')
  await page.keyboard.insertText('{"<b>":{"$ne":"\u202e"}}')
  await page.getByText('Unknown operator $ne').waitFor()
}

async function openFields(page: Page): Promise<void> {
  const more = button(page, 'More')
  if (await more.isVisible()) await more.click()
  await button(page, 'Fields: all').click()
  await page.getByRole('checkbox', { name: '__proto__', exact: true }).waitFor()
}

async function chooseFile(page: Page): Promise<void> {
  const cells = HOSTILE_NAMES.map((name) => `"${name.replaceAll('"', '""')}"`).join()
  await page.locator('input[type=file]').setInputFiles({
    name: '<img src=x onerror=alert(1)>\u202e.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${cells}\n${cells}\n${cells},x\n${cells}\n`),
  })
  await page.getByRole('list', { name: 'Lines that can’t be read' }).waitFor()
  await page.getByRole('textbox', { name: 'The first documents' }).waitFor()
}

async function importWrongly(page: Page): Promise<void> {
  await button(page, 'Import the file').click()
  await page.getByText('Nothing was imported.').waitFor()
}

async function openDocument(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.goto(`${page.url()}?doc=${encodeURIComponent('"__proto__"')}`)
  await page.getByRole('textbox', { name: 'Text of the document' }).waitFor()
}

async function writeWrongSlug(page: Page): Promise<void> {
  await fill(page, { Slug: 'x'.repeat(10_000) })
  await page.getByText('10000 characters are too many').waitFor()
}

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
}

async function removeDeletedApp(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await button(page, 'Remove gone').click()
  await page.getByRole('alertdialog').waitFor()
}

async function tryRequest(page: Page): Promise<void> {
  await fill(page, { Collection: '\u202e'.repeat(200) })
  await button(page, 'Try the request').click()
  await page.getByText(/^(No|Yes): from /).waitFor()
}

async function endKeyTokens(page: Page): Promise<void> {
  await button(page, 'End all tokens of the key').click()
  await page.getByRole('alertdialog').waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: '__proto__' }).first().waitFor()
}

async function openShortcuts(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
}

async function writeWrongRule(page: Page): Promise<void> {
  await fill(page, { Rate: `\u202e${'x'.repeat(10_000)}` })
  await page.getByRole('alert').getByText("can't be a rate").waitFor()
}

async function makeKey(page: Page): Promise<void> {
  await fill(page, { Rate: '', Name: `walked at ${page.viewportSize()!.width}` })
  await button(page, 'Make the key').click()
  await page.getByRole('region', { name: 'Secret' }).waitFor()
}

async function deleteApp(page: Page, slug: string): Promise<void> {
  await fill(page, { [`Type ${slug} to confirm`]: slug })
  await button(page, 'Delete the app').click()
  await page.getByRole('dialog', { name: 'Your password once more' }).waitFor()
}

async function setUpFactor(page: Page): Promise<void> {
  await button(page, 'Set up a second factor').click()
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
}

async function endToken(page: Page): Promise<void> {
  await button(page, 'End the token ⟨U+202E⟩gnirts ⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩a').click()
  await page.getByRole('alertdialog').waitFor()
}

async function deleteAccount(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await button(page, 'Delete your account').click()
  await page.getByRole('alertdialog').waitFor()
}

async function makeToken(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await fill(page, { 'Name of the token': `walked at ${page.viewportSize()!.width}` })
  await button(page, 'Make a token').click()
  const dialog = page.getByRole('dialog', { name: 'Your password once more' })
  await fill(dialog, { Password: PASSWORD })
  await button(dialog, 'Go on').click()
  await page.getByText(/^shfa_/).waitFor()
}

async function makeResetLink(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Make a reset link/ })
    .first()
    .click()
  await page.getByText(/\/_\/reset#/).waitFor()
}

describe('every page, with names in it that were made to do harm,', () => {
  let browser: Browser
  let dashboard: Dashboard
  let populated: Populated
  before(async () => {
    browser = await startBrowser()
    dashboard = await Dashboard.start()
    populated = await populate(dashboard)
  })
  after(async () => {
    await dashboard.close()
    await browser.close()
  })

  async function walk(page: Page, { isThere, acts = [] }: Walked): Promise<void> {
    await isThere(page)
    const { width } = page.viewportSize()!
    await assertAccessible(page)
    // By the Tab key alone, which a phone hasn't.
    if (width > 600) await assertFocusSeen(page)
    await page.setViewportSize(ZOOMED)
    await assertFits(page)
    await page.setViewportSize({ width, height: HEIGHT })
    for (const act of acts) {
      await act(page)
      await assertAccessible(page)
    }
  }

  for (const width of [1280, 390]) {
    const screen = { width, height: HEIGHT }

    it(`is good to use at ${width} px for whoever sees little or has no pointer, and asks only its server`, async () => {
      const credential = await dashboard.session(populated.account, { ageMs: AGE_MS })
      const { context, page, faults, goto } = await openSignedIn(browser, dashboard, { credential, screen })
      watchHarm(page, dashboard, faults)
      for (const walked of pagesOf(populated)) {
        await goto(walked.path)
        await walk(page, walked)
      }
      await context.clearCookies()
      await context.setOffline(true)
      await context.setOffline(false)
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      await assertAccessible(page)
      assert.deepEqual(faults, [])
      await context.close()
    })

    it(`is so at ${width} px before anybody is signed in`, async () => {
      const operator = await dashboard.session(populated.account)
      const linkOf = async (path: string): Promise<string> => {
        const { link } = (await dashboard.send('POST', path, operator, { json: {} })).json
        return link.replace('127.0.0.1', 'localhost')
      }
      const origin = `https://localhost:${dashboard.server.port}`
      const { context, violations } = await openWindow(browser, screen)
      const page = await context.newPage()
      watchHarm(page, dashboard, violations)
      const title =
        (name: string): Act =>
        (shown) =>
          heading(shown, name).waitFor()
      const signIn: Act = async (shown) => {
        await fill(shown, { 'E-mail': 'ada@example.org', Password: HOSTILE_NAMES[0]! })
        await button(shown, 'Sign in').click()
        await shown.getByRole('alert').waitFor()
      }
      const invitation = await linkOf('/server/invitations')
      const reset = await linkOf(`/server/accounts/${populated.other.id}/password-reset`)
      for (const [address, walked] of [
        [`${origin}/_/sign-in`, { isThere: title('Sign in'), acts: [signIn] }],
        [invitation, { isThere: title('Make your account') }],
        [reset, { isThere: title('Choose a new password') }],
        [`${origin}/_/setup#%00${'x'.repeat(10_000)}`, { isThere: title('This link can’t be used') }],
      ] as const) {
        await page.goto('about:blank')
        await page.goto(address)
        await walk(page, { path: address, ...walked })
      }
      assert.deepEqual(violations, [])
      await context.close()
    })
  }
})
