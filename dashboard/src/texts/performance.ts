import { counted } from '../texts.ts'
import { DATA_TEXTS } from './data.ts'

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long something took, all together: such as `12 ms`, `1.2 seconds`. */
export function timeSpent(milliseconds: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => milliseconds >= ms) ?? []
  if (unit === undefined || unitMs === undefined) return DATA_TEXTS.milliseconds(milliseconds)
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(undefined, format).format(milliseconds / unitMs)
}

function about(count: number): string {
  return count.toLocaleString(undefined, { maximumFractionDigits: count < 10 ? 2 : 0 })
}

/** The words of what reads cost. */
export const PERFORMANCE_TEXTS = {
  title: 'Performance',
  explained:
    'What reads of lists and counts cost, by the shape of their queries: fields, kinds of conditions and the order, never a value. Documents that are read by their ids, and what this dashboard reads, are not in it. It is up to ten seconds old.',
  since: 'Counted since',
  queries: 'Queries',
  reading: 'Reading what queries cost',
  none: 'No reads yet',
  noneExplained:
    'As soon as programs ask for lists of documents or count them, it says here what that costs and which index would help.',
  noneFound: 'No query is like that.',
  clear: 'Show all',
  collection: 'Collection',
  allCollections: 'all',
  onlySlow: (slowMs: number) => `Only those that took ${timeSpent(slowMs)} or more`,
  columns: { query: 'Query', cost: 'Cost', times: 'Times', looked: 'Looked at', done: 'What helps' },
  in: 'in',
  gone: ', which is not there any more',
  inAll: (time: string) => `${time} in all`,
  reads: (reads: number) => counted(reads, 'read'),
  slow: (slow: number) => `${slow.toLocaleString()} slow`,
  mean: (time: string) => `${time} on average`,
  most: (time: string) => `${time} at most`,
  last: 'last',
  looked: (examined: number) => `${about(examined)} a read`,
  found: (returned: number) => `${about(returned)} found`,
  more: (count: number) => `Show ${count.toLocaleString()} more`,
  plan: {
    id: 'by id',
    count: 'by the count that is kept',
    scan: 'one after the other',
    index: (name: string) => `by the index ${name}`,
  },
  help: {
    index: 'Index',
    unused: 'It is there. The last read did not use it.',
    unasked: 'It was made since the last read.',
    failed: 'It is to be unique, and could not be made.',
    make: 'Make this index',
    makeOf: (fields: string) => `Make this index: ${fields}`,
    worth: 'It is worth what it costs.',
    littleBenefit: (missed: number, needed: number) =>
      `${missed.toLocaleString()} documents were looked at too many; from ${needed.toLocaleString()} on it is worth what it costs.`,
    fewReads: 'It is worth what it costs, if there are more reads like this.',
    fewDocuments: 'There are few documents: reads are fast without an index.',
    none: 'No index would help.',
  },
  decided: {
    built: 'made by itself',
    building: 'being made by itself',
    'not built': 'not made by itself',
    failed: 'could not be made by itself',
    dropped: 'dropped by itself',
  },
  automatic: {
    title: 'Automatic indexes',
    explained:
      'Where reads of one shape have cost more than an index would, the server makes one by itself, and drops it once it costs more than it spares. No answer changes by that, only how long it takes.',
    label: 'Make indexes for this app by itself',
    on: 'They are on. The app’s owner can switch them off.',
    off: 'They are off. The app’s owner can switch them on.',
    serverOff: 'They are off for the whole server: whoever runs it started it so.',
    stay: 'Those that are there stay until somebody drops them.',
    reading: 'Reading the indexes of the app',
    none: 'There is none.',
    columns: { index: 'Index', reason: 'Made', uses: 'Used', spared: 'Spared', size: 'Size' },
  },
  unused: {
    title: 'Indexes that no read uses',
    explained:
      'They cost every write. Updates and deletions by query may use them, which is not counted. Drop what nobody needs on the page of the collection’s indexes.',
    since: (date: string) => `not used since ${date}`,
  },
} as const

/** The words about the indexes of a collection. */
export const INDEX_TEXTS = {
  title: 'Indexes',
  of: 'Indexes of',
  explained:
    'An index finds what a query asks for without a look at all other documents, and has it in the order of a sort. Every collection has one on _id. Each makes writes a little dearer.',
  reading: 'Reading the indexes of the collection',
  none: 'No indexes but the one on _id yet.',
  onlyEditors: 'You may look. Its owner and editors make and drop indexes.',
  columns: { fields: 'Fields', made: 'Made', state: 'State', uses: 'Used', size: 'Size', acts: 'Actions' },
  unique: 'unique',
  byHand: 'by hand',
  byItself: 'by itself',
  state: { ready: 'ready', building: 'being made', failed: 'failed' },
  inTheWay: (documents: number) =>
    `${counted(documents, 'document')} ${documents === 1 ? 'has' : 'have'} a value that one before has, or too many of them:`,
  value: (value: string, ids: readonly string[]) => `${value} in ${ids.join(' and ')}`,
  failedNow: 'Change or delete them, drop this index, and make it anew.',
  neverUsed: 'never',
  uses: (uses: number) => (uses === 1 ? 'once' : `${uses.toLocaleString()} times`),
  usedLast: 'last',
  unusedSince: (date: string) => `No read has used it since ${date}.`,
  spared: (documents: number) => `spared a look at ${counted(documents, 'document')}`,
  reasonFor: 'for',
  performance: 'What queries cost',
  make: {
    title: 'Make an index',
    explained:
      'First the fields that queries compare with one value, then the one with a range or the order of a sort. It is made while reads and writes go on, and used once it is whole.',
    fields: 'Fields, from the first to the last',
    unique: 'Unique: no two documents may have the same value',
    noFields: 'Add the first field.',
    field: 'Field',
    button: 'Make the index',
  },
  drop: {
    title: 'Drop the index',
    short: 'Drop',
    of: (fields: string) => `Drop the index ${fields}`,
    explained: (fields: string) => `Drops the index ${fields}. No document is lost, and it can be made anew.`,
    unique: 'Writes that give two documents the same value are refused no more.',
    automatic: 'The server may make it again by itself, where reads miss it.',
    slower: 'These queries were read by it last, and will take longer:',
    noneSlower: 'No query was read by it last, as far as is known.',
    button: 'Drop the index',
  },
} as const
