import type { Page } from 'playwright-core'

const HOUR_MS = 60 * 60 * 1000
const RANGES = {
  hour: { steps: 60, stepSeconds: 60 },
  day: { steps: 24, stepSeconds: 3600 },
  week: { steps: 168, stepSeconds: 3600 },
  month: { steps: 30, stepSeconds: 86_400 },
}
const FIGURES = { requests: 900, errors: 12, p95: 4.2, bytesIn: 120_000, bytesOut: 4_200_000 }

/**
 * What the server tells of an app that had ten requests in the first step, twenty in the next and so on, but none in the third.
 * @param names of keys, collections, paths and codes
 */
function analyticsOf(range: keyof typeof RANGES, names: readonly string[], now: number) {
  const { steps, stepSeconds } = RANGES[range]
  const stepMs = stepSeconds * 1000
  const to = Math.floor(now / stepMs) * stepMs + stepMs
  const from = to - steps * stepMs
  const iso = (at: number) => new Date(at).toISOString()
  const points = Array.from({ length: steps }, (_, index) => {
    const requests = index === 2 ? 0 : (index + 1) * 10
    const took = (ms: number) => (requests === 0 ? null : ms + (index % 5) / 4)
    return {
      ...{ at: iso(from + index * stepMs), requests, errors: index % 4, failed: 0 },
      ...{ p50: took(0.8), p95: took(4), p99: took(9), bytesIn: requests * 200, bytesOut: requests * 4000 },
      ...{ read: requests * 3, written: requests },
    }
  })
  const sum = (of: 'requests' | 'errors' | 'bytesIn' | 'bytesOut') =>
    points.reduce((all, point) => all + point[of], 0)
  const totals = {
    ...{ requests: sum('requests'), errors: sum('errors'), failed: 0, p50: 0.9, p95: 4.2, p99: 9.4 },
    ...{ bytesIn: sum('bytesIn'), bytesOut: sum('bytesOut'), read: 3, written: 1 },
  }
  const rest = { others: true, ...FIGURES }
  const few = names.slice(-2)
  const stored = { documents: 1204, bytes: 4_700_000, indexBytes: 310_000 }
  return {
    ...{ range, from: iso(from), to: iso(to), stepSeconds, points },
    totals: { ...totals, addresses: { at: iso(from), count: 52 } },
    before: { ...totals, requests: totals.requests / 2, p95: 8.4 },
    breakdown: {
      ...{ from: iso(from), to: iso(to) },
      keys: [
        ...names.map((name, index) => ({ id: `key-${index}`, name, ...FIGURES })),
        { id: '', name: null, ...FIGURES },
        { id: 'gone', name: null, ...FIGURES },
        { withheld: true, ...FIGURES },
        rest,
      ],
      collections: [...names.map((name) => ({ name, ...FIGURES })), { name: '', ...FIGURES }, rest],
      operations: ['find', 'save', 'get'].map((operation) => ({ operation, ...FIGURES })),
      statuses: [200, 201, 404].map((status) => ({ status, requests: 300 })),
      pairs: few.map((name, index) => ({
        ...{ key: { id: `key-${index}`, name }, collection: name, operation: 'find' },
        ...{ requests: 300, errors: 4, p50: 0.9, p95: 4.2, read: 900, written: 0 },
      })),
    },
    errors: few.map((code) => ({
      ...{ code, status: 404, count: 12 },
      examples: ['a', 'b'].map((id) => ({
        at: iso(now - HOUR_MS),
        ...{ method: 'GET', path: `/apps/x/collections/${code}?q=…`, key: code, requestId: `${code}${id}` },
      })),
    })),
    addresses: [{ at: iso(from), count: 52 }],
    visits: {
      total: 340,
      paths: [...names.map((name) => ({ path: `/${name}`, visits: 42 })), { others: true, visits: 4 }],
      referrers: [{ host: 'example.org', visits: 42 }],
    },
    storage: [
      { at: iso(from + stepMs), ...stored, bytes: 2_000_000 },
      { at: iso(to - 4 * stepMs), ...stored },
    ],
    storageByCollection: few.map((name) => ({ name, ...stored })),
    slowest: few.map((name) => ({
      collection: name,
      query: 'born range',
      reads: 20,
      totalMs: 900,
      meanMs: 45,
    })),
  }
}

/** A stream of requests, every other one refused, before which seven were left out. @param names of keys and codes */
function tailOf(names: readonly string[], length: number, now: number) {
  const requests = Array.from({ length }, (_, index) => ({
    ...{ at: new Date(now + index).toISOString(), method: 'GET', path: `/apps/x/collections/${index}?q=…` },
    ...(index % 2 === 0 ? { status: 200 } : { status: 404, code: names[index % names.length] }),
    ...{ ms: 0.42, bytesIn: 0, bytesOut: 412, key: names[0], collection: names[1], operation: 'find' },
    requestId: `request-${index}`,
  }))
  const events = requests.map((request) => `event: request\ndata: ${JSON.stringify(request)}\n\n`)
  const skipped = 'event: skipped\ndata: {"count":7,"errors":2}\n\n'
  const body = `${skipped}${events.join('')}event: end\ndata: {"reason":"no_right"}\n\n`
  return { contentType: 'text/event-stream', body }
}

export const ANALYTICS = '**/_/api/**/analytics?*'
export const TAIL = '**/_/api/**/analytics/tail'

/**
 * Has pages told of traffic that no app had. Answers what is asked for, as queries.
 * @param live how many requests come by the stream
 */
export async function tellOfTraffic(
  page: Page,
  names: readonly string[],
  live = 8,
): Promise<readonly string[]> {
  const asked: string[] = []
  await page.route(ANALYTICS, (route) => {
    const { search, searchParams } = new URL(route.request().url())
    asked.push(search)
    const range = searchParams.get('range') as keyof typeof RANGES
    return route.fulfill({ json: analyticsOf(range, names, Date.now()) })
  })
  await page.route(TAIL, (route) => route.fulfill(tailOf(names, live, Date.now())))
  return asked
}
