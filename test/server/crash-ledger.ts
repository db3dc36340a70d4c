import assert from 'node:assert/strict'

/** The texts of some documents, each undefined where it isn't there. */
export type State = readonly (string | undefined)[]

/**
 * Documents that one writer alone writes, one request at a time, each of which changes all of them or none. After a
 * crash they are as the last acknowledged request left them, or as the one that was under way would have.
 */
export interface Group {
  readonly collection: string
  readonly ids: readonly string[]
  readonly writer: number
  acknowledged: State
  pending: State | undefined
  /** Rises with each acknowledged creation of one writer; undefined where they aren't there. */
  place: number | undefined
}

/** Tokens that many writers put into one document, and those of them that were acknowledged. */
interface Counter {
  readonly attempted: Set<string>
  readonly acknowledged: Set<string>
}

interface Created {
  readonly attempted: Set<string>
  /** Texts as they were answered, by the document without its `_id`. */
  readonly acknowledged: Map<string, string>
}

/** What the writers of one round attempted, and what was acknowledged to them. */
export class Ledger {
  readonly round: number
  readonly groups: Group[] = []
  readonly counters = new Map<string, Counter>()
  readonly created: Created = { attempted: new Set(), acknowledged: new Map() }
  /** How many requests were acknowledged. */
  acknowledgedWrites = 0
  private places = 0

  constructor(round: number) {
    this.round = round
  }

  /** The names of the round's collections, none of which an earlier round used. */
  collection(kind: 'own' | 'bulk' | 'slots' | 'created' | 'counters'): string {
    return `${kind}-${this.round}`
  }

  collections(): string[] {
    return (['own', 'bulk', 'slots', 'created', 'counters'] as const).map((kind) => this.collection(kind))
  }

  group(kind: 'own' | 'bulk' | 'slots', writer: number, ids: readonly string[]): Group {
    const group: Group = {
      collection: this.collection(kind),
      ids,
      writer,
      acknowledged: ids.map(() => undefined),
      pending: undefined,
      place: undefined,
    }
    this.groups.push(group)
    return group
  }

  acknowledge(group: Group): void {
    this.acknowledgedWrites++
    const wasThere = group.acknowledged[0] !== undefined
    group.acknowledged = group.pending!
    group.pending = undefined
    const isThere = group.acknowledged[0] !== undefined
    if (!wasThere && isThere) group.place = ++this.places
    if (!isThere) group.place = undefined
  }

  acknowledgeCreated(body: string, answer: string): void {
    this.acknowledgedWrites++
    this.created.acknowledged.set(body, answer)
  }

  acknowledgeCounted(id: string, token: string): void {
    this.acknowledgedWrites++
    this.counter(id).acknowledged.add(token)
  }

  counter(id: string): Counter {
    const counter = this.counters.get(id) ?? { attempted: new Set(), acknowledged: new Set() }
    this.counters.set(id, counter)
    return counter
  }
}

/** One collection as it is listed: each document's text by its `_id`, in natural order. */
export type Listing = ReadonlyMap<string, string>

export function listingOf(text: string): Listing {
  const documents = JSON.parse(text) as { _id: string }[]
  return new Map(documents.map((document) => [document._id, JSON.stringify(document)]))
}

/** Checks every collection of a round after a crash. `list` answers a collection as JSON. */
export async function verify(ledger: Ledger, list: (collection: string) => Promise<string>): Promise<void> {
  for (const kind of ['own', 'bulk', 'slots'] as const) {
    const collection = ledger.collection(kind)
    const groups = ledger.groups.filter((group) => group.collection === collection)
    verifyGroups(groups, listingOf(await list(collection)), collection)
  }
  verifyCreated(ledger.created, listingOf(await list(ledger.collection('created'))))
  verifyCounters(ledger.counters, listingOf(await list(ledger.collection('counters'))))
}

function verifyGroups(groups: readonly Group[], listing: Listing, collection: string): void {
  const known = new Set<string>()
  for (const group of groups) {
    const found = group.ids.map((id) => listing.get(id))
    for (const id of group.ids) known.add(id)
    const possible = [group.acknowledged, ...(group.pending === undefined ? [] : [group.pending])]
    assert.ok(
      possible.some((state) => state.every((text, index) => text === found[index])),
      `${collection} has ${JSON.stringify(found)}; it may have ${JSON.stringify(possible)}`,
    )
  }
  for (const id of listing.keys()) assert.ok(known.has(id), `${collection} has a document that nobody wrote`)
  verifyPlaces(groups, listing)
}

/** Natural order is the order of first saves; of one writer's requests it is known. */
function verifyPlaces(groups: readonly Group[], listing: Listing): void {
  const positions = new Map([...listing.keys()].map((id, position) => [id, position]))
  for (const ofWriter of Map.groupBy(groups, (group) => group.writer).values()) {
    const settled = ofWriter.filter(({ place, pending }) => place !== undefined && pending === undefined)
    const inOrder = settled.sort((one, other) => one.place! - other.place!).flatMap((group) => group.ids)
    const found = inOrder.map((id) => positions.get(id)!)
    assert.ok(
      isAscending(found),
      `natural order was lost: ${inOrder.join(', ')} stand at ${found.join(', ')}`,
    )
  }
}

function verifyCreated({ attempted, acknowledged }: Created, listing: Listing): void {
  const found = new Map([...listing.values()].map((text) => [withoutId(text), text]))
  assert.equal(found.size, listing.size, 'one save made two documents')
  for (const body of found.keys()) assert.ok(attempted.has(body), `nobody saved ${body}`)
  for (const [body, text] of acknowledged) assert.equal(found.get(body), text, `${text} was acknowledged`)
  assert.ok(isAscending([...listing.keys()]), 'assigned ids do not rise in natural order')
}

function withoutId(text: string): string {
  const { _id, ...rest } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify(rest)
}

function verifyCounters(counters: Ledger['counters'], listing: Listing): void {
  for (const id of listing.keys()) assert.ok(counters.has(id), `nobody counted in ${id}`)
  for (const [id, { attempted, acknowledged }] of counters) {
    const text = listing.get(id)
    const { n, tokens } = text === undefined ? { n: 0, tokens: [] } : (JSON.parse(text) as Counted)
    assert.equal(n, tokens.length, `${id} was updated in part`)
    assert.ok(acknowledged.size <= n && n <= attempted.size, `${id} counted to ${n}`)
    const found = new Set(tokens)
    assert.equal(found.size, tokens.length, `an update of ${id} took effect twice`)
    assert.ok(acknowledged.isSubsetOf(found), `${id} lost an acknowledged update`)
    assert.ok(found.isSubsetOf(attempted), `${id} has an update that nobody sent`)
  }
}

interface Counted {
  readonly n: number
  readonly tokens: readonly string[]
}

export function isAscending<T extends number | string>(values: readonly T[]): boolean {
  return values.every((value, index) => index === 0 || values[index - 1]! < value)
}
