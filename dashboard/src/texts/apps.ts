/** What the pages of apps say; apart from the others, for nobody who signs in should wait for these. */
export const APP_TEXTS = {
  reading: 'Reading the app',
  pages: 'Pages of the app',
  overview: 'Overview',
  keys: 'Keys',
  activity: 'Activity',
  settings: 'Settings',
  newApp: {
    title: 'New app',
    slug: 'Slug',
    hint: 'Its name in every address: 1 to 63 of a to z, 0 to 9 and -. It stays as it is.',
    empty: 'Type a slug.',
    upperCase: 'Small letters only.',
    long: (length: number) => `${length} characters are too many: 63 at most.`,
    dash: 'It neither begins nor ends with -.',
    character: (character: string) => `${character} can’t be in a slug: use a to z, 0 to 9 and -.`,
    taken: 'You have an app of this slug.',
    button: 'Make the app',
  },
  gone: {
    title: 'There is no such app here',
    explained: 'It may have been deleted, or is not shared with you any more.',
  },
  connect: {
    title: 'Connect',
    languages: 'Language',
    key: 'Put a key of this app in place of YOUR_KEY.',
    certificate:
      'Where this server has a certificate that it made itself, clients have to be told to trust it: tls/cert.pem in its data folder.',
    of: (language: string) => `Example for ${language}`,
  },
  collections: {
    title: 'Collections',
    reading: 'Reading the names of the collections',
    none: 'No collections yet',
    noneExplained: 'The first document that is saved makes its collection: with the lines above, for one.',
  },
} as const
