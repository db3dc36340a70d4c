import { byteCount, counted } from '../texts.ts'

/** What the pages of apps say; apart from the others, for nobody who signs in should wait for these. */
export const APP_TEXTS = {
  reading: 'Reading the app',
  pages: 'Pages of the app',
  overview: 'Overview',
  data: 'Data',
  performance: 'Performance',
  keys: 'Keys',
  analytics: 'Analytics',
  security: 'Security',
  site: 'Site',
  activity: 'Activity',
  settings: 'Settings',
  more: 'More',
  morePages: 'More pages of the app',
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
    takenByDeleted: 'You have deleted an app of this slug: restore it below, or remove it.',
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
      'Where this server has a certificate that it made itself, clients have to be told to trust it: tls/cert.pem in its data folder. curl takes its path by --cacert, Node.js by NODE_EXTRA_CA_CERTS, Python by SSL_CERT_FILE.',
    of: (language: string) => `Example for ${language}`,
  },
  numbers: {
    documents: 'Documents',
    in: (collections: number) => `in ${counted(collections, 'collection')}`,
    stored: 'Stored',
    ofWhat: 'of documents and indexes',
    keys: 'Keys',
    noKeys: 'without one no program gets in',
    noKeysShared: 'of this app alone; its owner’s others are not shown',
    endSoon: (keys: number) => (keys === 1 ? '1 ends within 7 days' : `${keys} end within 7 days`),
    noneEnds: 'none ends within 7 days',
  },
  attention: 'Needs attention',
  holds: (documents: number, bytes: number) => `${counted(documents, 'document')}, ${byteCount(bytes)}`,
  requests: (requests: number) =>
    requests === 0 ? 'no requests yet' : `${counted(requests, 'request')} in the last 24 hours`,
  lastRequest: 'last request',
  notMeasured: 'Its size could not be read.',
  collections: {
    title: 'Collections',
    columns: { name: 'Name', documents: 'Documents', size: 'Size', indexes: 'Indexes' },
    about: (bytes: number) => `about ${byteCount(bytes)}`,
    indexes: (all: number, automatic: number) =>
      automatic === 0
        ? all.toLocaleString()
        : `${all.toLocaleString()}, ${automatic.toLocaleString()} automatic`,
    reading: 'Reading how much the collections hold',
    none: 'No collections yet',
    noneExplained: 'The first document that is saved makes its collection: with the lines above, for one.',
  },
} as const
