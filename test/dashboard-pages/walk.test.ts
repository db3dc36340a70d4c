import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Dashboard } from '../dashboard-api/start-dashboard.ts'
import { tellOfTraffic } from './analytics-data.ts'
import { openWindow, startBrowser } from './chromium.ts'
import { HOSTILE_COLLECTION, HOSTILE_NAMES, type Populated, populate, watchHarm } from './hostile-names.ts'
import { assertAccessible, assertFocusSeen } from './look-over.ts'
import { assertFits, button, fill, heading } from './screen.ts'
import { openSignedIn } from './signed-in-window.ts'
import {
  chooseFile,
  deleteAccount,
  deleteApp,
  deleteVersion,
  deployWrongly,
  dropIndex,
  endKeyTokens,
  endToken,
  importWrongly,
  makeKey,
  makeResetLink,
  makeSiteKey,
  makeToken,
  openAccountMenu,
  openCollectionMenu,
  openDocument,
  openExport,
  openFields,
  openPalette,
  openRestore,
  openShortcuts,
  readTraffic,
  removeDeletedApp,
  removeFromBin,
  renameWrongly,
  setUpFactor,
  tryRequest,
  writeWrongQuery,
  writeWrongRule,
  writeWrongSetting,
  writeWrongSlug,
} from './walk-acts.ts'

/** Of one walk over all pages, on a machine that is busy. */
const WALK_MS = 240_000
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
      acts: [writeWrongSlug, openAccountMenu, removeDeletedApp, openRestore],
    },
    { path: app, isThere: (page) => page.getByText('__proto__').waitFor() },
    {
      path: `${app}/data`,
      isThere: (page) => heading(page, 'Bin').waitFor(),
      acts: [openCollectionMenu, renameWrongly, removeFromBin],
    },
    {
      path: `${app}/data/${encodeURIComponent(HOSTILE_COLLECTION)}`,
      isThere: (page) => page.getByRole('status').getByText('8 documents').waitFor(),
      acts: [writeWrongQuery, openFields, openExport, openDocument],
    },
    {
      path: `${app}/data/${encodeURIComponent(HOSTILE_COLLECTION)}/import`,
      isThere: (page) => button(page, 'Choose a file').waitFor(),
      acts: [chooseFile, importWrongly],
    },
    {
      path: `${app}/data/${encodeURIComponent(HOSTILE_COLLECTION)}/indexes`,
      isThere: (page) => page.getByText('ready').waitFor(),
      acts: [dropIndex],
    },
    {
      path: `${app}/performance`,
      isThere: async (page) => {
        await page.getByRole('cell').first().waitFor()
        await page.getByText('There is none.').waitFor()
      },
    },
    {
      path: `${app}/analytics?range=hour`,
      isThere: (page) => page.getByRole('slider').nth(3).waitFor(),
      acts: [readTraffic],
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
    {
      path: `${app}/security`,
      isThere: (page) => button(page, 'End all tokens of the app').waitFor(),
      acts: [writeWrongSetting],
    },
    {
      path: `${app}/sites`,
      isThere: (page) => page.getByRole('link', { name: 'Version 1', exact: true }).waitFor(),
      acts: [deployWrongly, makeSiteKey, deleteVersion],
    },
    {
      path: `${app}/sites/1`,
      isThere: (page) => page.getByText(/^1 added, \d+ changed, 1 removed/).waitFor(),
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
    // Colours come from one list for all widths, so each is looked at in one of the schemes.
    const schemes = [width > 600 ? 'light' : 'dark'] as const
    await assertAccessible(page, schemes)
    // By the Tab key alone, which a phone hasn't.
    if (width > 600) await assertFocusSeen(page)
    await page.setViewportSize(ZOOMED)
    await assertFits(page)
    await page.setViewportSize({ width, height: HEIGHT })
    for (const act of acts) {
      await act(page)
      await assertAccessible(page, schemes)
    }
  }

  for (const width of [1280, 390]) {
    const screen = { width, height: HEIGHT }

    it(`is good to use at ${width} px for whoever sees little or has no pointer, and asks only its server`, {
      timeout: WALK_MS,
    }, async () => {
      const credential = await dashboard.session(populated.account, { ageMs: AGE_MS })
      const { context, page, faults, goto } = await openSignedIn(browser, dashboard, { credential, screen })
      watchHarm(page, dashboard, faults)
      await tellOfTraffic(page, HOSTILE_NAMES)
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
