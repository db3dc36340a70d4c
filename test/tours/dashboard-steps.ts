import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Clone } from '../docs/clone.ts'
import { ROOT } from '../docs/page.ts'

/** A hand on the pages that notes by which names it went. */
export class Hand {
  readonly page: Page
  readonly clone: Clone
  readonly used = new Set<string>()
  /** The secret of the key that it made, once it has one. */
  key = ''

  constructor(page: Page, clone: Clone) {
    this.page = page
    this.clone = clone
  }

  /** As the line for curl on the page does. */
  countFilms(): Promise<{ status: number; text: string }> {
    return this.clone.send('GET', '/apps/cinema/collections/films?c=true', { key: this.key })
  }

  async press(name: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name: this.noted(name), exact: true }).click()
  }

  async follow(name: string): Promise<void> {
    await this.page
      .getByRole('link', { name: this.noted(name), exact: true })
      .first()
      .click()
  }

  async fill(name: string, text: string): Promise<void> {
    await this.page.getByLabel(this.noted(name), { exact: true }).fill(text)
  }

  /** Types into an editor, in the place of what is there. */
  async write(name: string, text: string): Promise<void> {
    await this.page.getByRole('textbox', { name }).press('Control+a')
    await this.page.keyboard.insertText(text)
  }

  async chooseInMenu(menu: RegExp, name: string): Promise<void> {
    await this.page.getByRole('button', { name: menu }).click()
    await this.page.getByRole('menuitem', { name: this.noted(name) }).click()
  }

  async see(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  async seeHeading(name: string): Promise<void> {
    await this.page.getByRole('heading', { name, exact: true }).waitFor()
  }

  noted(name: string): string {
    this.used.add(name)
    return name
  }
}

/** What is done under each heading of docs/tour-dashboard.md, in its order. */
export const STEPS: Readonly<Record<string, (hand: Hand) => Promise<void>>> = {
  'Your account': async (hand) => {
    await hand.page.goto(/https:\S+setup#\S+/.exec(hand.clone.greeting)![0])
    await hand.fill('E-mail', 'ada@example.org')
    await hand.fill('Name', 'Ada Lovelace')
    await hand.fill('Password', 'weaving numbers 1843')
    await hand.press('Make the account')
  },

  'An app, and its data': async (hand) => {
    await hand.fill('Slug', 'cinema')
    await hand.press('Make the app')
    await hand.follow('Data')
    await hand.fill('Name of the collection', 'films')
    await hand.press('Choose its file')
    const file = join(ROOT, 'node_modules/vega-datasets/data/movies.json')
    const chooser = hand.page.waitForEvent('filechooser')
    await hand.press('Choose a file')
    await (await chooser).setFiles(file)
    await hand.see('The first 20 documents, as they would be saved:')
    await hand.press('Import the file')
    await hand.see('Imported: 3,201 new documents.')
    await hand.follow('Show the documents')
  },

  'A query': async (hand) => {
    await hand.write(hand.noted('Query'), '{"Director":"Hayao Miyazaki"}')
    await hand.press('Find')
    await hand.see('2 documents')
  },

  'A change': async (hand) => {
    await hand.page.getByRole('gridcell', { name: 'Spirited Away' }).click()
    const text = hand.page.getByRole('textbox', { name: 'Text of the document' })
    await text.getByText('"IMDB Rating"').waitFor()
    const lines = await text.locator('.cm-line').allTextContents()
    const changed = lines.join('\n').replace('"IMDB Rating": null', '"IMDB Rating": 8.60')
    await hand.write('Text of the document', changed)
    await hand.press('Show changes')
    await hand.see('1 line changed')
    await hand.press('Save')
    await hand.see('Saved.')
  },

  'An index': async (hand) => {
    await hand.follow('Indexes')
    await hand.fill('Field', 'Director')
    await hand.press('Add')
    await hand.press('Make the index')
    await hand.page.getByRole('cell', { name: 'ready' }).waitFor()
    await hand.page.goBack()
    await hand.see('index: Director')
  },

  'A key': async (hand) => {
    await hand.follow('Keys')
    await hand.follow('New key')
    await hand.fill('Name', 'reader')
    await hand.fill('Rate', '60/min')
    await hand.see(/^May read documents in every collection of the app cinema .* at most 60 times a minute/)
    await hand.press('Make the key')
    hand.key = (await hand.page.getByRole('region', { name: 'Secret' }).textContent())!.trim()
    assert.deepEqual(await hand.countFilms(), { status: 200, text: '3201' })
  },

  'What holds for all keys': async (hand) => {
    await hand.follow('Security')
    await hand.fill('How often all keys together may be used', '600/min')
    await hand.press('Save', hand.page.getByRole('form', { name: 'Rate' }))
    await hand.see('Saved. It holds within a second.')
  },

  'A site': async (hand) => {
    await hand.follow('Site')
    const folder = join(ROOT, 'examples/todo-site/public')
    await hand.page.locator('input[name=folder]').setInputFiles(folder)
    await hand.press('Deploy')
    await hand.see('Version 1 is live.')
    await hand.press('Make a site key', hand.page.getByRole('region', { name: 'Site key' }))
    const dialog = hand.page.getByRole('alertdialog')
    for (const verb of [/^update: /, /^delete: /]) await dialog.getByLabel(verb).check()
    await hand.press('Make a site key', dialog)
    const opened = hand.page.context().waitForEvent('page')
    await hand.follow('Open the site')
    const site = await opened
    await site.getByLabel('What is to be done').fill('See a film')
    await site.getByRole('button', { name: 'Add' }).click()
    await site.getByRole('checkbox', { name: 'See a film' }).waitFor()
    await site.close()
  },

  Analytics: async (hand) => {
    await hand.follow('Analytics')
    await hand.page.getByText(hand.noted('Hour'), { exact: true }).click()
    // The page reads again by itself.
    for (const [table, name] of [
      ['Keys', 'reader'],
      ['Collections', 'films'],
    ] as const)
      await hand.page.getByRole('table', { name: table, exact: true }).getByText(name).waitFor()
  },

  'What was done, and backups': async (hand) => {
    await hand.follow('Activity')
    await hand.see('reader')
    await hand.follow('Settings')
    await hand.seeHeading('Backup')
  },

  'You, and the server': async (hand) => {
    await hand.chooseInMenu(/^Account: /, 'Your account')
    await hand.seeHeading('Second factor')
    await hand.chooseInMenu(/^Account: /, 'Server')
    await hand.seeHeading('Secrets of tokens')
  },
}
