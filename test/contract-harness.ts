import type { DocumentId } from '../src/domain/document.ts'
import { DEFAULT_LIMITS, type Limits } from '../src/domain/limits.ts'
import type { Permitted } from '../src/domain/permitted.ts'
import type { Precondition } from '../src/domain/precondition.ts'
import { parseJson } from '../src/json/exact.ts'
import { parseFilter } from '../src/query/parse.ts'
import { parseProjection } from '../src/query/projection.ts'
import { parseSort } from '../src/query/sort.ts'
import type { DocumentStore, FindCommand, FindResult } from '../src/storage/store.ts'
import { parseUpdate } from '../src/update/parse.ts'

export interface OpenedStore {
  readonly store: DocumentStore
  /** The internal id of an empty app. */
  readonly app: string
  /** Closes the store and opens it again on the same data. */
  reopen?(): Promise<OpenedStore>
  close(): Promise<void>
}

export type OpenStore = (limits: Limits) => Promise<OpenedStore>

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
/** What a key without rules permits. */
export const ANYTHING: Permitted = { create: true, update: true }
const json = (text: string) => parseJson(text, DEFAULT_LIMITS)
export const filterOf = (text: string) => parseFilter(json(text), DEFAULT_LIMITS)
export const projectionOf = (text: string) => parseProjection(json(text), DEFAULT_LIMITS)
export const updateOf = (text: string) => parseUpdate(json(text), DEFAULT_LIMITS)

/** The whole text of a result, however many chunks it came in. */
export async function textOf({ first, rest }: FindResult): Promise<string> {
  if (rest === undefined) return typeof first === 'string' ? first : Buffer.from(first).toString()
  let text = first
  for await (const chunk of rest) text += chunk
  return text
}

/** A store under test, with the collection that the test at hand uses. */
export class ContractHarness {
  at = { app: '', collection: '' }
  /** What `save` and `updateOne` may turn out to be. */
  permitted = ANYTHING
  /** What they, and `deleteOne`, depend on. */
  precondition: Precondition | undefined
  private opened: OpenedStore
  private collections = 0

  constructor(opened: OpenedStore) {
    this.opened = opened
  }

  get store(): DocumentStore {
    return this.opened.store
  }

  get app(): string {
    return this.opened.app
  }

  /** Goes over to a collection that no other test has used. */
  fresh(): void {
    this.collections++
    this.permitted = ANYTHING
    this.precondition = undefined
    this.use(`c${this.collections}`)
  }

  use(collection: string): void {
    this.at = { app: this.app, collection }
  }

  save(...texts: string[]) {
    const documents = texts.map((text) => {
      const id = (JSON.parse(text) as { _id?: string | number })._id
      return id === undefined ? { text } : { id, text }
    })
    const { permitted, precondition } = this
    return this.store.saveDocuments({ ...this.at, permitted, precondition, documents })
  }

  async find(
    q: string,
    more: Partial<Pick<FindCommand, 'skip' | 'limit' | 'wantsPreviews'>> & { s?: string; f?: string } = {},
  ) {
    const { s = '{}', f, skip = 0, limit = 1000, wantsPreviews = false } = more
    return textOf(
      await this.store.findDocuments({
        ...this.at,
        filter: filterOf(q),
        sort: parseSort(json(s), DEFAULT_LIMITS),
        ...(f !== undefined && { projection: projectionOf(f) }),
        skip,
        limit,
        wantsPreviews,
      }),
    )
  }

  updateOne(id: string, body: string) {
    return this.store.updateDocument({
      ...this.at,
      ids: [id],
      createId: id,
      permitted: this.permitted,
      precondition: this.precondition,
      update: updateOf(body),
      now: NOW,
    })
  }

  deleteOne(...ids: [string, ...DocumentId[]]) {
    return this.store.deleteDocument({ ...this.at, ids, precondition: this.precondition })
  }

  updateMany(
    q: string,
    body: string,
    flags: { multi?: boolean; upsert?: boolean; expected?: number; roomBytes?: number } = {},
  ) {
    return this.store.updateDocuments({
      ...this.at,
      filter: filterOf(q),
      update: updateOf(body),
      multi: flags.multi ?? true,
      upsert: flags.upsert ?? false,
      expected: flags.expected,
      ...(flags.roomBytes !== undefined && { roomBytes: flags.roomBytes }),
      now: NOW,
    })
  }

  /** Closes the store and opens it on the same data; false where it has none that outlive it. */
  async reopen(): Promise<boolean> {
    if (this.opened.reopen === undefined) return false
    this.opened = await this.opened.reopen()
    return true
  }

  close(): Promise<void> {
    return this.opened.close()
  }
}
