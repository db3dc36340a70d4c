import { AppError } from '../errors.ts'
import { csvCell, csvHeader } from '../json/csv.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { Caller } from './context.ts'
import {
  type DescribedTraffic,
  describeTrafficOf,
  type TrafficContext,
  type TrafficInput,
} from './describe-traffic.ts'

/** Of a table, beside its row for the others. */
const MOST_ROWS = 20_000

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>

interface TrafficTable {
  readonly columns: readonly string[]
  readonly rows: (traffic: DescribedTraffic) => readonly Row[]
}

const SHARES = ['others', 'requests', 'errors', 'p95', 'bytesIn', 'bytesOut']
const TOTALS = ['requests', 'errors', 'failed', 'p50', 'p95', 'p99', 'bytesIn', 'bytesOut', 'read', 'written']
const PAIR = ['keyId', 'keyName', 'keyWithheld', 'collection', 'operation', 'others']

const TABLES: Readonly<Record<string, TrafficTable>> = {
  points: { columns: ['at', ...TOTALS], rows: ({ points }) => rowsOf(points) },
  keys: { columns: ['id', 'name', 'withheld', ...SHARES], rows: ({ breakdown }) => rowsOf(breakdown.keys) },
  collections: { columns: ['name', ...SHARES], rows: ({ breakdown }) => rowsOf(breakdown.collections) },
  operations: { columns: ['operation', ...SHARES], rows: ({ breakdown }) => rowsOf(breakdown.operations) },
  statuses: {
    columns: ['status', 'others', 'requests'],
    rows: ({ breakdown }) => rowsOf(breakdown.statuses),
  },
  pairs: {
    columns: [...PAIR, 'requests', 'errors', 'p50', 'p95', 'read', 'written'],
    rows: ({ breakdown }) =>
      breakdown.pairs.map(({ key, ...pair }) => ({
        ...{ keyId: key?.id, keyName: key?.name, keyWithheld: key?.withheld },
        ...pair,
      })),
  },
  errors: {
    columns: ['code', 'status', 'count'],
    rows: ({ errors }) => errors.map(({ code, status, count }) => ({ code, status, count })),
  },
  paths: { columns: ['path', 'others', 'visits'], rows: ({ visits }) => rowsOf(visits?.paths ?? []) },
  referrers: {
    columns: ['host', 'others', 'visits'],
    rows: ({ visits }) => rowsOf(visits?.referrers ?? []),
  },
  storage: {
    columns: ['at', 'documents', 'bytes', 'indexBytes'],
    rows: ({ storage }) => rowsOf(storage),
  },
}

/**
 * A part of what `describeTraffic` tells as CSV (RFC 4180), in which nothing is a formula to a spreadsheet.
 * @throws AppError as `describeTraffic` does
 */
export async function exportTraffic(
  context: TrafficContext,
  caller: Caller,
  {
    app: slug,
    range,
    table: name = 'points',
    ...filter
  }: TrafficInput & { readonly table?: string | undefined },
): Promise<{ readonly text: string }> {
  const found = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  if (!Object.hasOwn(TABLES, name))
    throw new AppError('invalid_parameter', `table must be one of ${Object.keys(TABLES).join(', ')}`)
  const { columns, rows } = TABLES[name]!
  const traffic = await describeTrafficOf(context, found, { range, filter, most: MOST_ROWS })
  const lines = rows(traffic).map((row) => columns.map((column) => cellOf(row[column])).join(','))
  return { text: csvHeader(columns, true) + lines.map((line) => `${line}\r\n`).join('') }
}

function cellOf(value: Row[string]): string {
  return csvCell(JSON.stringify(value ?? null), true)
}

/** They have no more than such values. */
function rowsOf(items: readonly object[]): readonly Row[] {
  return items as readonly Row[]
}
