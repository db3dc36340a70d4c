import type { ReactNode } from 'react'
import { Link } from 'wouter'
import {
  type Analytics,
  type Chosen,
  type CsvTable,
  csvAddress,
  type Figures,
  type KeyName,
  type Named,
  type Row,
} from '../../analytics/analytics-data.ts'
import { dayWords, momentWords } from '../../analytics/time-steps.ts'
import { appPath } from '../../apps-data.ts'
import { Value } from '../../components/value.tsx'
import { duration, ANALYTICS_TEXTS as TEXTS } from '../../texts/analytics.ts'
import { byteCount } from '../../texts.ts'
import styles from './analytics.module.css'
import { CsvLink } from './csv-link.tsx'
import { FiguresTable } from './figures-table.tsx'

const { columns: COLUMNS } = TEXTS
/** Stands for the rest where no name is. */
const REST = '\0'
/** Stands for the keys without ids. */
const WITHHELD = '?'

interface BreakdownProps {
  readonly chosen: Chosen
  readonly analytics: Analytics
}

/** By whom, of what and how it was asked. */
export function Breakdown({ chosen, analytics }: BreakdownProps) {
  const { slug } = chosen
  const { breakdown } = analytics
  const csv = (table: CsvTable) => csvAddress(chosen, table)
  const { keys, collections, operations } = breakdown
  return (
    <div className={styles.tables}>
      <p className={`${styles.dim} ${styles.across}`}>
        {TEXTS.covers(momentWords(breakdown.from), momentWords(breakdown.to))}
      </p>
      <Part id="keys" title={TEXTS.keys} csv={csv('keys')}>
        <FiguresOf
          label={TEXTS.keys}
          column={COLUMNS.key}
          rows={keys}
          idOf={({ id = WITHHELD }) => id}
          nameOf={(row) => <KeyLink slug={slug} of={row} />}
        />
      </Part>
      <Part id="collections" title={TEXTS.collections} csv={csv('collections')}>
        <FiguresOf
          label={TEXTS.collections}
          column={COLUMNS.collection}
          rows={collections}
          idOf={({ name }) => name}
          nameOf={({ name }) => <CollectionLink slug={slug} name={name} />}
        />
      </Part>
      <Part id="operations" title={TEXTS.operations} csv={csv('operations')}>
        <FiguresOf
          label={TEXTS.operations}
          column={COLUMNS.operation}
          rows={operations}
          idOf={({ operation }) => operation}
          nameOf={({ operation }) => operationName(operation)}
        />
      </Part>
      <Statuses statuses={breakdown.statuses} csv={csv('statuses')} />
      <Pairs slug={slug} pairs={breakdown.pairs} csv={csv('pairs')} />
      <StorageTable slug={slug} rows={analytics.storageByCollection} />
      <AddressesTable addresses={analytics.addresses} />
    </div>
  )
}

interface PartProps {
  readonly id: string
  readonly title: string
  /** Where it is as a file. */
  readonly csv?: string
  readonly isAcross?: boolean
  readonly children: ReactNode
}

/** A table with its title. */
export function Part({ id, title, csv, isAcross = false, children }: PartProps) {
  return (
    <section className={isAcross ? `${styles.part} ${styles.across}` : styles.part} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {csv !== undefined && <CsvLink of={title} href={csv} />}
      </div>
      {children}
    </section>
  )
}

interface FiguresOfProps<Of> {
  readonly label: string
  readonly column: string
  readonly rows: readonly Row<Of & Figures>[]
  readonly idOf: (row: Of) => string
  readonly nameOf: (row: Of) => ReactNode
}

function FiguresOf<Of>({ label, column, rows, idOf, nameOf }: FiguresOfProps<Of>) {
  const { requests, errors, p95, bytesOut, bytesIn } = COLUMNS
  return (
    <FiguresTable
      label={label}
      columns={{ name: column, requests, errors, p95, bytesOut, bytesIn }}
      words={['name']}
      rows={rows}
      keyOf={(row) => (row.others ? REST : idOf(row))}
      cells={(row) => ({
        name: row.others ? TEXTS.others : nameOf(row),
        requests: count(row.requests),
        errors: count(row.errors),
        p95: durationOf(row.p95),
        bytesOut: size(row.bytesOut),
        bytesIn: size(row.bytesIn),
      })}
    />
  )
}

interface StatusesProps {
  readonly statuses: Analytics['breakdown']['statuses']
  readonly csv: string
}

function Statuses({ statuses, csv }: StatusesProps) {
  const { status, requests } = COLUMNS
  return (
    <Part id="statuses" title={TEXTS.statuses} csv={csv}>
      <FiguresTable
        label={TEXTS.statuses}
        columns={{ status, requests }}
        words={['status']}
        rows={statuses}
        keyOf={(row) => String(row.status)}
        cells={(row) => ({ status: row.others ? TEXTS.others : row.status, requests: count(row.requests) })}
      />
    </Part>
  )
}

interface PairsProps {
  readonly slug: string
  readonly pairs: Analytics['breakdown']['pairs']
  readonly csv: string
}

function Pairs({ slug, pairs, csv }: PairsProps) {
  const { key, collection, operation, requests, errors, p50, p95, read, written } = COLUMNS
  return (
    <Part id="pairs" title={TEXTS.pairs} csv={csv} isAcross>
      <FiguresTable
        label={TEXTS.pairs}
        columns={{ key, collection, operation, requests, errors, p50, p95, read, written }}
        words={['key', 'collection', 'operation']}
        rows={pairs}
        keyOf={(row) => (row.others ? REST : `${row.key.id ?? WITHHELD} ${row.operation} ${row.collection}`)}
        cells={(row) => ({
          key: row.others ? TEXTS.others : <KeyLink slug={slug} of={row.key} />,
          collection: row.others ? '' : <CollectionLink slug={slug} name={row.collection} />,
          operation: row.others ? '' : operationName(row.operation),
          requests: count(row.requests),
          errors: count(row.errors),
          p50: durationOf(row.p50),
          p95: durationOf(row.p95),
          read: count(row.read),
          written: count(row.written),
        })}
      />
    </Part>
  )
}

interface StorageProps {
  readonly slug: string
  readonly rows: Analytics['storageByCollection']
}

function StorageTable({ slug, rows }: StorageProps) {
  const { collection, documents, bytes, indexBytes } = COLUMNS
  return (
    <Part id="storage" title={TEXTS.storage}>
      <FiguresTable
        label={TEXTS.storage}
        columns={{ collection, documents, bytes, indexBytes }}
        words={['collection']}
        rows={rows}
        keyOf={(row) => (row.others ? REST : row.name)}
        cells={(row) => ({
          collection: row.others ? TEXTS.others : <CollectionLink slug={slug} name={row.name} />,
          documents: count(row.documents),
          bytes: size(row.bytes),
          indexBytes: size(row.indexBytes),
        })}
      />
    </Part>
  )
}

function AddressesTable({ addresses }: Pick<Analytics, 'addresses'>) {
  const { day, addresses: about } = COLUMNS
  return (
    <Part id="addresses" title={TEXTS.addresses}>
      <p className={styles.dim}>{TEXTS.addressesExplained}</p>
      <FiguresTable
        label={TEXTS.addresses}
        columns={{ day, about }}
        words={['day']}
        rows={[...addresses].reverse()}
        keyOf={({ at }) => at}
        cells={({ at, count: of }) => ({ day: dayWords(at), about: count(of) })}
      />
    </Part>
  )
}

function KeyLink({ slug, of: { id = '', name, withheld } }: { readonly slug: string; readonly of: KeyName }) {
  if (withheld) return TEXTS.withheldKeys
  if (id === '') return TEXTS.noKey
  if (!name) return TEXTS.goneKey
  return (
    <Link href={`${appPath(slug)}/keys/${encodeURIComponent(id)}`}>
      <Value text={name} />
    </Link>
  )
}

function CollectionLink({ slug, name }: Named & { readonly slug: string }) {
  if (name === '') return TEXTS.noCollection
  return (
    <Link href={`${appPath(slug)}/data/${encodeURIComponent(name)}`}>
      <Value text={name} />
    </Link>
  )
}

function operationName(name: string): string {
  return TEXTS.operationNames[name] ?? name
}

function count(value: number | null | undefined): string {
  return value === undefined || value === null ? '' : value.toLocaleString()
}

function size(value: number | null | undefined): string {
  return value === undefined || value === null ? '' : byteCount(value)
}

function durationOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : duration(value)
}
