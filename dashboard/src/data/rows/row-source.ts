import { isUnreachable } from '../../api.ts'
import { askDocuments } from '../documents-api.ts'
import { type PreviewRow, parseRows } from './preview-row.ts'

/** Rows of one answer. */
export const PAGE_ROWS = 100
/** Pages that are kept beside those on screen; more of a long list would only fill the memory. */
const KEPT_PAGES = 40
/** Answers that are waited for at a time: a browser has six connections for all of its tabs. */
const READS_AT_ONCE = 2

/** Between two tries while the server is away. */
const LEAST_PAUSE_MS = 1000
const MOST_PAUSE_MS = 30_000

/** What a read of rows has come to. */
export interface ReadProgress {
  /** Documents looked at by the reads that are under way. */
  readonly examined: number
  readonly isRunning: boolean
  readonly isStopped: boolean
}

interface Page {
  readonly rows: PreviewRow[]
  /** Where it goes on: behind its last row, or where looking for more was broken off. */
  cursor: string | undefined
  /** Stale is what may have been changed since it was read, and is shown until it was read anew. */
  state: 'reading' | 'read' | 'stopped' | 'stale'
}

export interface RowSourceParts {
  /** Fields that were seen before, by another query. */
  readonly names?: readonly string[]
  /** Under `/_/api`, such as `/apps/demo/collections/movies`. */
  readonly path: string
  /** `q`, `s`, `f`. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/**
 * The rows that a query finds, page by page as they come on screen: each behind the one before it by a cursor, and after a
 * jump by how many come before it. Where many documents are looked at for few rows, they come as they are found.
 */
export class RowSource {
  private readonly parts: RowSourceParts
  private readonly pages = new Map<number, Page>()
  private readonly reading = new Map<number, AbortController>()
  private readonly listeners = new Set<() => void>()
  private readonly names: Set<string>
  private wanted: readonly number[] = []
  private examined = 0
  private isStopped = false
  private isClosed = false
  private end: number | undefined
  /** Runs while the server is away. */
  private pause: ReturnType<typeof setTimeout> | undefined
  private pauseMs = 0
  private counted: number | undefined
  /** Whether nothing was found at a place before the end, so that there are fewer rows than were counted. */
  isOverrun = false
  /** Changes with everything that is shown. */
  version = 0
  /** Why the last read failed; nothing more is read until `again`. */
  error: Error | undefined
  /** How the first page was found, and in how many milliseconds: the header `Server-Timing`. */
  timing: string | undefined

  constructor(parts: RowSourceParts) {
    this.parts = parts
    this.names = new Set(parts.names)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly currentVersion = (): number => this.version

  /** How many rows there are in all, where that is known. */
  get total(): number | undefined {
    return this.end ?? this.counted
  }

  /** How many rows there are at least. */
  get loaded(): number {
    let most = 0
    for (const [index, { rows }] of this.pages)
      if (rows.length > 0) most = Math.max(most, index * PAGE_ROWS + rows.length)
    return most
  }

  get progress(): ReadProgress {
    return { examined: this.examined, isRunning: this.reading.size > 0, isStopped: this.isStopped }
  }

  /** Every field that was seen, in the order of its first sight. */
  get fieldNames(): readonly string[] {
    return [...this.names]
  }

  /** Once the documents were counted. */
  setTotal(total: number): void {
    this.counted = total
    this.isOverrun = false
    this.tell()
  }

  row(index: number): PreviewRow | undefined {
    return this.pages.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS]
  }

  /** Says which rows are on screen, and has what is missing of them read. */
  want(first: number, last: number): void {
    const from = Math.floor(Math.max(0, first) / PAGE_ROWS)
    const to = Math.floor(Math.max(0, last) / PAGE_ROWS)
    this.wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    for (const [index, aborter] of this.reading) if (!this.isWanted(index)) aborter.abort()
    this.evict()
    this.readOn()
  }

  /** Ends what is being read; the rows that are there stay. */
  stop(): void {
    this.isStopped = true
    for (const aborter of this.reading.values()) aborter.abort()
    this.tell()
  }

  /** Goes on after an error or a stop. */
  again(): void {
    clearTimeout(this.pause)
    this.pause = undefined
    this.error = undefined
    this.isStopped = false
    this.readOn()
    this.tell()
  }

  /** Reads anew what is on screen, and all else when it comes there; nothing moves meanwhile. */
  refresh(): void {
    this.end = undefined
    for (const page of this.pages.values()) page.state = 'stale'
    // What is under way may have been answered before the change that this is for.
    for (const aborter of this.reading.values()) aborter.abort()
    this.again()
  }

  /** Goes on after `close`, which whoever draws it may do and take back. */
  open(): void {
    if (!this.isClosed) return
    this.isClosed = false
    this.readOn()
  }

  /** Ends what is being read, for nobody looks any more. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.pause)
    this.pause = undefined
    for (const aborter of this.reading.values()) aborter.abort()
  }

  private isWanted(index: number): boolean {
    return this.wanted.includes(index)
  }

  private readOn(): void {
    if (this.error !== undefined || this.isStopped || this.isClosed || this.pause !== undefined) return
    for (const index of this.wanted) {
      if (this.reading.size >= READS_AT_ONCE) return
      if (this.reading.has(index) || this.pages.get(index)?.state === 'read' || this.isBehindEnd(index))
        continue
      // What comes behind a page that is being read begins where that ends.
      if (this.reading.has(index - 1)) continue
      void this.read(index)
    }
  }

  private isBehindEnd(index: number): boolean {
    return this.total !== undefined && index > 0 && index * PAGE_ROWS >= this.total
  }

  private async read(index: number): Promise<void> {
    const aborter = new AbortController()
    this.reading.set(index, aborter)
    const known = this.pages.get(index)
    const isStale = known?.state === 'stale'
    const page: Page = known && !isStale ? known : { rows: [], cursor: undefined, state: 'reading' }
    page.state = 'reading'
    if (!isStale) this.pages.set(index, page)
    try {
      await this.fill(index, page, aborter.signal)
      aborter.signal.throwIfAborted()
      page.state = 'read'
      this.pages.set(index, page)
    } catch (error) {
      if (page.state === 'reading') page.state = 'stopped'
      if (!aborter.signal.aborted) this.fail(error as Error)
    } finally {
      this.reading.delete(index)
      if (this.reading.size === 0) this.examined = 0
    }
    this.tell()
    this.readOn()
  }

  /** A server that is away is asked again by itself, after a growing pause, as all else is that pages read. */
  private fail(error: Error): void {
    if (!isUnreachable(error)) {
      this.error = error
      return
    }
    this.pauseMs = Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, 2 * this.pauseMs))
    this.pause ??= setTimeout(() => {
      this.pause = undefined
      this.readOn()
    }, this.pauseMs)
  }

  /** Asks until the page is full or there is no more; an answer may hold less than was asked for. */
  private async fill(index: number, page: Page, signal: AbortSignal): Promise<void> {
    const before = this.pages.get(index - 1)
    const begin = before?.state === 'read' ? before.cursor : undefined
    if (before?.state === 'read' && begin === undefined) return
    for (let after = page.cursor ?? begin; ; after = page.cursor) {
      const isJump = index > 0 && after === undefined
      const parameters = {
        ...this.parts.query,
        preview: 'true',
        l: String(PAGE_ROWS - page.rows.length),
        after,
        // What was skipped of a read that is broken off is not in its cursor.
        ...(isJump ? { sk: String(index * PAGE_ROWS) } : { partial: 'true' }),
      }
      const { text, headers } = await askDocuments(this.parts.path, { parameters, signal })
      this.pauseMs = 0
      this.timing ??= headers.get('Server-Timing') ?? undefined
      this.examined += Number(headers.get('X-Examined') ?? 0)
      const rows = parseRows(text)
      page.rows.push(...rows)
      for (const { fields } of rows) for (const name of fields.keys()) this.names.add(name)
      page.cursor = cursorOf(headers)
      if (page.rows.length >= PAGE_ROWS) return
      if (page.cursor === undefined) {
        const end = index * PAGE_ROWS + page.rows.length
        // Nothing at a place that was jumped to says only that the end comes before it.
        if (isJump && page.rows.length === 0) {
          this.counted = undefined
          this.isOverrun = true
        } else this.end = end
        return
      }
      this.tell()
    }
  }

  private evict(): void {
    const [from = 0, to = from] = [this.wanted[0], this.wanted.at(-1)]
    const distance = (index: number): number => Math.max(from - index, index - to)
    const far = [...this.pages.keys()].sort((a, b) => distance(b) - distance(a))
    for (const index of far.slice(0, Math.max(0, this.pages.size - KEPT_PAGES)))
      if (!this.reading.has(index) && !this.isWanted(index)) this.pages.delete(index)
  }

  private tell(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }
}

/** The cursor in the link to the next page (RFC 8288), if there is one. */
function cursorOf(headers: Headers): string | undefined {
  const link = /<([^>]*)>;\s*rel="?next"?/.exec(headers.get('Link') ?? '')?.[1]
  return link === undefined
    ? undefined
    : (new URL(link, location.href).searchParams.get('after') ?? undefined)
}
