import type { Page } from 'playwright-core'
import { PASSWORD } from '../dashboard-api/start-dashboard.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { button, fill } from './screen.ts'

// What is done on a page while all of them are walked over, up to something that shows.

export async function writeWrongQuery(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).press('Control+a')
  await page.keyboard.insertText('{"<b>":{"$ne":"\u202e"}}')
  await page.getByText('Unknown operator $ne').waitFor()
}

export async function openFields(page: Page): Promise<void> {
  const refine = button(page, 'Refine')
  if (await refine.isVisible()) await refine.click()
  await button(page, 'Fields: all').click()
  await page.getByRole('checkbox', { name: '__proto__', exact: true }).waitFor()
}

export async function chooseFile(page: Page): Promise<void> {
  const cells = HOSTILE_NAMES.map((name) => `"${name.replaceAll('"', '""')}"`).join()
  await page.locator('input[type=file]').setInputFiles({
    name: '<img src=x onerror=alert(1)>\u202e.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${cells}\n${cells}\n${cells},x\n${cells}\n`),
  })
  await page.getByRole('list', { name: 'Lines that can’t be read' }).waitFor()
  await page.getByRole('textbox', { name: 'The first documents' }).waitFor()
}

export async function importWrongly(page: Page): Promise<void> {
  await button(page, 'Import the file').click()
  await page.getByText('Nothing was imported.').waitFor()
}

export async function openExport(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await button(page, 'Export…').click()
  const dialog = page.getByRole('dialog', { name: 'Export documents' })
  await dialog.getByRole('radio', { name: /^CSV/ }).check()
  await dialog.getByRole('link', { name: 'Export 8 documents' }).waitFor()
}

export async function openDocument(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${page.url()}?doc=${encodeURIComponent('"__proto__"')}`)
  await page.getByRole('textbox', { name: 'Text of the document' }).waitFor()
}

export async function dropIndex(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Drop the index / }).click()
  await page.getByRole('alertdialog', { name: 'Drop the index' }).waitFor()
}

export async function writeWrongSlug(page: Page): Promise<void> {
  await fill(page, { Slug: 'x'.repeat(10_000) })
  await page.getByText('10000 characters are too many').waitFor()
}

export async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
}

export async function removeDeletedApp(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await button(page, 'Remove gone').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function openCollectionMenu(page: Page): Promise<void> {
  // axe takes a menu for modal by five points of the window, none of which may be its button.
  await page.evaluate(() => scrollTo(0, 0))
  await button(page, `Rename, empty or drop ${HOSTILE_NAMES[0]}`).click()
  await page.getByRole('menu').waitFor()
}

export async function renameWrongly(page: Page): Promise<void> {
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('listitem').waitFor()
  await fill(dialog, { 'New name': '$' })
  await dialog.getByText('it may not start with $').waitFor()
}

export async function removeFromBin(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').waitFor()
}

export async function openRestore(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await button(page, 'Restore a backup…').click()
  await page.getByRole('dialog', { name: 'Restore a backup' }).waitFor()
}

export async function readTraffic(page: Page): Promise<void> {
  await button(page, 'Start').click()
  await page.getByText('The server has ended it').waitFor()
  await page.getByText('As a table').first().click()
  const chart = page.getByRole('slider').first()
  await chart.press('Home')
  await chart.getByText('requests: 10', { exact: true }).waitFor()
}

export async function tryRequest(page: Page): Promise<void> {
  await fill(page, { Collection: '\u202e'.repeat(200) })
  await button(page, 'Try the request').click()
  await page.getByText(/^(No|Yes): from /).waitFor()
}

export async function endKeyTokens(page: Page): Promise<void> {
  await button(page, 'End all tokens of the key').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: '__proto__' }).first().waitFor()
}

export async function openShortcuts(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
}

export async function writeWrongRule(page: Page): Promise<void> {
  await fill(page, { Rate: `\u202e${'x'.repeat(10_000)}` })
  await page.getByRole('alert').getByText("can't be a rate").waitFor()
}

export async function writeWrongSetting(page: Page): Promise<void> {
  await fill(page, { 'How often all keys together may be used': `\u202e${'x'.repeat(10_000)}` })
  await page.getByRole('alert').getByText("can't be a rate").waitFor()
}

export async function makeKey(page: Page): Promise<void> {
  await fill(page, { Rate: '', Name: `walked at ${page.viewportSize()!.width}` })
  await button(page, 'Make the key').click()
  await page.getByRole('region', { name: 'Secret' }).waitFor()
}

export async function deployWrongly(page: Page): Promise<void> {
  const name = '<img src=x onerror=alert(1)>\u202e.zip'
  const zip = { name, mimeType: 'application/zip', buffer: Buffer.from('no zip') }
  await page.locator('input[name=zip]').setInputFiles(zip)
  await button(page, 'Deploy').click()
  await page.getByText('No version was made').waitFor()
}

export async function makeSiteKey(page: Page): Promise<void> {
  await button(page, 'Make a site key').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function deleteVersion(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await button(page, 'Delete version 1').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function deleteApp(page: Page, slug: string): Promise<void> {
  await fill(page, { [`Type ${slug} to confirm`]: slug })
  await button(page, 'Delete the app').click()
  await page.getByRole('dialog', { name: 'Your password once more' }).waitFor()
}

export async function setUpFactor(page: Page): Promise<void> {
  await button(page, 'Set up a second factor').click()
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
}

export async function endToken(page: Page): Promise<void> {
  await button(page, 'End the token ⟨U+202E⟩gnirts ⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩a').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function deleteAccount(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await button(page, 'Delete your account').click()
  await page.getByRole('alertdialog').waitFor()
}

export async function makeToken(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await fill(page, { 'Name of the token': `walked at ${page.viewportSize()!.width}` })
  await button(page, 'Make a token').click()
  const dialog = page.getByRole('dialog', { name: 'Your password once more' })
  await fill(dialog, { Password: PASSWORD })
  await button(dialog, 'Go on').click()
  await page.getByText(/^shfa_/).waitFor()
}

export async function makeResetLink(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Make a reset link/ })
    .first()
    .click()
  await page.getByText(/\/_\/reset#/).waitFor()
}
