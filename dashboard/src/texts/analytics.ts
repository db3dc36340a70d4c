import type { Range } from '../analytics/analytics-data.ts'
import type { Skipped } from '../analytics/live-tail.ts'

const NUMBER = new Intl.NumberFormat()
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const TENTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const HUNDREDTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

const STEPS: Readonly<Record<number, string>> = { 60: 'minute', 3600: 'hour', 86400: 'day' }

/** What a range is called within a sentence. */
const SPANS: Readonly<Record<Range, string>> = {
  hour: 'hour',
  day: '24 hours',
  week: '7 days',
  month: '30 days',
}

/** The words of the page of an app's traffic. */
export const ANALYTICS_TEXTS = {
  title: 'Analytics',
  explained:
    'What programs and visitors asked of this app, up to some seconds ago. What this dashboard reads counts nowhere, and no address is kept. Times, days and hours are those of UTC.',
  reading: 'Reading what was counted',
  range: 'Time',
  ranges: { hour: 'Hour', day: '24 hours', week: '7 days', month: '30 days' } satisfies Record<Range, string>,
  key: 'Key',
  allKeys: 'all',
  collection: 'Collection',
  allCollections: 'all',
  showAll: 'Show all',
  filtered:
    'Of one key or collection, requests are known by the hour and by the day. Addresses, visits, errors and storage are those of the whole app.',
  nothing: {
    title: (range: Range) => `No requests in the last ${SPANS[range]}`,
    filtered: (range: Range) => `No such requests in the last ${SPANS[range]}`,
    explained:
      'What is asked of the app shows here some seconds later. With a key of this app in place of YOUR_KEY:',
    longer: 'Look at 30 days',
    snippet: 'A request by curl',
  },
  totals: {
    requests: 'Requests',
    errors: 'Errors',
    duration: '95 of 100 took at most',
    sizes: 'Sent and received',
    addresses: 'Addresses today',
    visits: 'Visits of the site',
    noRequest: 'none',
    share: (share: number) => `${PERCENT.format(share)} of all`,
    out: (size: string) => `${size} sent`,
    in: (size: string) => `${size} received`,
    about: (count: number) => `about ${NUMBER.format(count)}`,
    approximate: 'distinct, within some percent',
    pages: 'pages, counted without cookies',
  },
  /** How much there was before. */
  than: {
    unknown: 'nothing is known of before',
    same: (range: Range) => `as in the ${SPANS[range]} before`,
    none: (range: Range) => `none in the ${SPANS[range]} before`,
    gone: (range: Range) => `no request now, some in the ${SPANS[range]} before`,
    more: (share: string, range: Range) => `${share} more than in the ${SPANS[range]} before`,
    less: (share: string, range: Range) => `${share} less than in the ${SPANS[range]} before`,
    slower: (share: string, range: Range) => `${share} slower than in the ${SPANS[range]} before`,
    faster: (share: string, range: Range) => `${share} faster than in the ${SPANS[range]} before`,
    times: (factor: number, range: Range) =>
      `${TENTHS.format(factor)} times as much as in the ${SPANS[range]} before`,
  },
  charts: {
    title: 'Over time',
    requests: 'Requests',
    latency: 'Duration',
    bandwidth: 'Sent and received',
    storage: 'Storage',
    each: (stepSeconds: number) => `each ${STEPS[stepSeconds] ?? 'step'}`,
    percentiles: (stepSeconds: number) => `of the requests of each ${STEPS[stepSeconds] ?? 'step'}`,
    measured: 'measured hourly while there are writes',
    reading: 'Loading the chart',
    asTable: 'As a table',
    step: 'From',
    series: {
      requests: 'requests',
      errors: 'errors',
      p50: 'half took at most',
      p95: '95 of 100 at most',
      p99: '99 of 100 at most',
      bytesOut: 'sent',
      bytesIn: 'received',
      documents: 'documents',
      indexBytes: 'indexes',
    },
    noValue: 'none',
    /** For whoever uses keys, where nobody has moved yet. */
    help: 'Left and right go from one to the next.',
    noStorage: 'It was not measured in this time.',
  },
  covers: (from: string, to: string) => `From ${from} to ${to} UTC.`,
  /** What is known by the day alone. */
  ofDays: (first: string, last: string) =>
    first === last ? `Of ${first}, the whole day (UTC).` : `Of ${first} to ${last}, whole days (UTC).`,
  keys: 'Keys',
  collections: 'Collections',
  operations: 'Operations',
  statuses: 'Statuses',
  pairs: 'Keys, collections and operations together',
  storage: 'Storage by collection',
  addresses: 'Distinct addresses',
  addressesExplained:
    'Approximately, each day for itself: no count goes over days, and addresses are not kept.',
  csv: 'CSV',
  csvOf: (table: string) => `${table} as CSV`,
  none: 'None in this time.',
  allRows: (count: number) => `Show all ${NUMBER.format(count)}`,
  others: 'all others',
  noKey: 'without a key',
  withheldKey: 'another key',
  withheldKeys: 'other keys',
  goneKey: 'a key that is gone',
  noCollection: 'of no collection',
  only: (name: string) => `Only ${name}`,
  columns: {
    key: 'Key',
    collection: 'Collection',
    operation: 'Operation',
    status: 'Status',
    requests: 'Requests',
    errors: 'Errors',
    p50: 'Half within',
    p95: '95 % within',
    bytesOut: 'Sent',
    bytesIn: 'Received',
    read: 'Documents read',
    written: 'Documents written',
    documents: 'Documents',
    bytes: 'Size',
    indexBytes: 'Indexes',
    day: 'Day',
    addresses: 'About',
    path: 'Path',
    host: 'From',
    visits: 'Visits',
  },
  operationNames: {
    find: 'find',
    get: 'get by id',
    count: 'count',
    save: 'save',
    update: 'update',
    delete: 'delete',
    token: 'token',
    site: 'site',
    other: 'other',
  } as Readonly<Record<string, string>>,
  errors: {
    title: 'Errors',
    columns: { code: 'Code', status: 'Status', count: 'Count', examples: 'The last ones' },
    withKey: 'by',
    request: 'request',
    noExamples: 'No example was kept.',
  },
  slowest: {
    title: 'Costliest queries',
    columns: { query: 'Query', cost: 'Cost', reads: 'Reads', mean: 'On average' },
    none: 'No lists were read, and nothing counted, by queries yet.',
    all: 'What queries cost, and what helps',
    in: 'in',
    since: 'Of all reads of the last days, not of the time above alone.',
  },
  visits: {
    title: 'Site',
    total: (count: number) => (count === 1 ? '1 visit' : `${NUMBER.format(count)} visits`),
    explained: 'Pages that were shown, without cookies: nobody is told apart.',
    paths: 'Pages',
    referrers: 'Where visitors came from',
    noReferrer: 'not told, or the site itself',
  },
  live: {
    title: 'Live',
    explained:
      'Requests as they are answered, the newest above. Values of queries are left out; keys, bodies and addresses never show.',
    start: 'Start',
    pause: 'Pause',
    clear: 'Empty the list',
    show: 'Show',
    classes: { '': 'all', 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' } as Readonly<Record<string, string>>,
    states: {
      idle: 'Nothing is asked for until it starts.',
      opening: 'Starting…',
      open: 'Running.',
      hidden: 'Paused while the page is not seen.',
      paused: 'Paused.',
      timeOver: 'The server has ended it, as it does after 30 minutes.',
      noRight: 'The server has ended it: it could not make sure that you may still look at this app.',
      stopped: 'The server has ended it, because it stops.',
      ended: 'The server has ended it.',
    },
    none: 'No request yet since it started.',
    noneLike: 'None of them has such a status.',
    skipped: ({ count, errors }: Skipped) => {
      const words =
        count === 1 ? '1 more request is not shown' : `${NUMBER.format(count)} more requests are not shown`
      return `${words}, ${errors === 0 ? 'none' : NUMBER.format(errors)} with an error.`
    },
    label: 'Requests, the newest first',
    columns: {
      at: 'Time',
      request: 'Request',
      status: 'Status',
      ms: 'Took',
      key: 'Key',
      what: 'What',
      size: 'Sent',
      requestId: 'Id',
    },
  },
} as const

/** Such as `0.42 ms`, `12 ms`, `1.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${TENTHS.format(milliseconds / 1000)} s`
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`
  return `${HUNDREDTHS.format(milliseconds)} ms`
}
