/** A record as an application would keep one; compact JSON of exactly so many bytes, all of them ASCII. */
export function documentText(bytes: number, number = 1): string {
  const document = {
    name: `Ada Lovelace ${number}`,
    email: `ada.${number}@example.org`,
    age: 18 + (number % 80),
    score: (number * 7919) % 100_003,
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

/** A bulk's body of documents that differ. */
export function bulkText(count: number, bytes: number, first = 1): string {
  return `[${Array.from({ length: count }, (_, index) => documentText(bytes, first + index)).join(',')}]`
}
