/** So many documents have the same `branch`, spread evenly over the collection. */
const BRANCH_DOCUMENTS = 20

/** How many branches there are in a collection of so many documents. */
export function branchesOf(documents: number): number {
  return Math.max(1, Math.round(documents / BRANCH_DOCUMENTS))
}

export interface DocumentOptions {
  /** Written first where it is given. */
  readonly _id?: string
  readonly branches?: number
}

/** A record as an application would keep one; compact JSON of exactly so many bytes, all of them ASCII. */
export function documentText(
  bytes: number,
  number = 1,
  { _id, branches = 500 }: DocumentOptions = {},
): string {
  const document = {
    ...(_id === undefined ? {} : { _id }),
    name: `Ada Lovelace ${number}`,
    email: `ada.${number}@example.org`,
    age: 18 + (number % 80),
    score: (number * 7919) % 100_003,
    branch: number % branches,
    active: number % 3 !== 0,
    tags: ['reader', 'writer', `group-${number % 17}`],
    address: { street: '12 St James Square', city: 'London', geo: [51.5072, -0.1354] },
    created: '2025-01-02T03:04:05.678Z',
    note: '',
  }
  const length = JSON.stringify(document).length
  if (length > bytes) throw new Error(`a document takes at least ${length} bytes`)
  document.note = 'The Analytical Engine weaves algebraic patterns. '
    .repeat(bytes / 40)
    .slice(0, bytes - length)
  return JSON.stringify(document)
}

/** An id as a server would make it, for a document whose number is known. */
export function knownId(number: number): string {
  return `01JGJ6F4XWZ3V8Q2M5${String(number).padStart(8, '0')}`
}

/** What a collection is filled with. */
export interface Filling {
  readonly documents: number
  /** The size of each, with its `_id` where it has one. */
  readonly bytes: number
  /** Whether each has the `_id` of its number. */
  readonly knownIds?: boolean
}

/** A bulk's body: some of the documents of a collection, from the one of this number on. */
export function bulkText(
  { documents, bytes, knownIds = false }: Filling,
  first: number,
  count: number,
): string {
  const branches = branchesOf(documents)
  const texts = Array.from({ length: count }, (_, index) => {
    const number = first + index
    return documentText(bytes, number, { branches, ...(knownIds ? { _id: knownId(number) } : {}) })
  })
  return `[${texts.join(',')}]`
}
