import type { COLOUR_SCHEMES } from '../colour-scheme.ts'

const SCHEMES: Readonly<Record<(typeof COLOUR_SCHEMES)[number], string>> = {
  system: 'Colours as the system',
  light: 'Light colours',
  dark: 'Dark colours',
}

export const PALETTE_TEXTS = {
  open: 'Search or jump…',
  title: 'Search or jump',
  placeholder: 'An app, a collection, a key, a page, or what to do',
  none: 'Nothing has this name.',
  close: 'Close',
  groups: { pages: 'Pages', apps: 'Apps', collections: 'Collections', keys: 'Keys', acts: 'Do' },
  newApp: 'New app',
  restore: 'Restore a backup',
  newKey: 'New key',
  deploy: 'New deploy of the site',
  importInto: (collection: string) => `Import into ${collection}`,
  indexesOf: (collection: string) => `Indexes of ${collection}`,
  export: 'Export the documents shown',
  copyAddress: 'Copy the address of the API',
  copyLink: 'Copy a link to this page',
  readAgain: 'Read again',
  schemes: SCHEMES,
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  help: 'List of shortcut keys',
} as const

export const HELP_TEXTS = {
  title: 'Shortcut keys',
  switchable:
    'Keys of a single letter work where nothing is being typed. Your account’s page switches them off.',
  between: 'then',
  palette: 'Search or jump',
  help: 'This list',
  query: 'To the query of the collection',
  create: 'New: app, key, or what the page makes',
  readAgain: 'Read again',
  close: 'Closes what is on top',
  inList: 'In a list of documents',
  open: 'Opens the document',
  next: 'The next document, while one is open',
  previous: 'The previous document, while one is open',
  choose: 'Chooses the document',
  stretch: 'Chooses a stretch',
  all: 'Chooses all that are loaded',
  copy: 'Copies the cell, or what is chosen, as it is stored',
  last: 'To the last document',
} as const

export const KEYBOARD_TEXTS = {
  title: 'Keyboard',
  note: 'The key ? lists what each key does.',
  hasLetterKeys: 'Keys of a single letter do something where nothing is being typed',
} as const
