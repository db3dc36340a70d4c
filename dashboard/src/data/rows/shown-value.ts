import type { PreviewRow, PreviewValue } from './preview-row.ts'

/** A piece of a line, and what it is, by which it has its colour. */
export interface Piece {
  readonly text: string
  readonly kind: PreviewValue['kind'] | 'key' | 'plain'
}

/** A value in a cell of a table; a text without its quotes. */
export function cellText(value: PreviewValue): string {
  switch (value.kind) {
    case 'null':
      return 'null'
    case 'boolean':
      return String(value.value)
    case 'number':
      return value.source
    case 'text':
      return value.length === undefined ? value.text : `${value.text}…`
    case 'object':
      return `{ ${value.count.toLocaleString()} }`
    case 'array':
      return `[ ${value.count.toLocaleString()} ]`
  }
}

const PLAIN = (text: string): Piece => ({ text, kind: 'plain' })

/**
 * A value as JSON, as far as its preview goes: what is nested within what is nested stays folded.
 * @param more says how many members there are beyond
 */
export function jsonPieces(value: PreviewValue, more: (count: number) => string): readonly Piece[] {
  switch (value.kind) {
    case 'text':
      return [{ text: quoted(value), kind: 'text' }]
    case 'object': {
      const members = value.first.map(([key, member]) => [...keyPieces(key), ...innerPieces(member)])
      return enclosed('{', '}', members, beyond(value.count - members.length, more))
    }
    case 'array': {
      const elements = value.first.map(innerPieces)
      return enclosed('[', ']', elements, beyond(value.count - elements.length, more))
    }
    default:
      return [{ text: cellText(value), kind: value.kind }]
  }
}

export function keyPieces(key: string): readonly Piece[] {
  return [{ text: JSON.stringify(key), kind: 'key' }, PLAIN(': ')]
}

/** A value within what is nested, as JSON: whatever it holds is folded. */
export function innerPieces(value: PreviewValue): readonly Piece[] {
  if (value.kind === 'object') return [{ text: '{…}', kind: 'object' }]
  if (value.kind === 'array') return [{ text: '[…]', kind: 'array' }]
  return [{ text: value.kind === 'text' ? quoted(value) : cellText(value), kind: value.kind }]
}

function quoted({ text, length }: Extract<PreviewValue, { kind: 'text' }>): string {
  const json = JSON.stringify(text)
  return length === undefined ? json : `${json.slice(0, -1)}…"`
}

function beyond(count: number, more: (count: number) => string): readonly (readonly Piece[])[] {
  return count > 0 ? [[PLAIN(`… ${more(count)}`)]] : []
}

function enclosed(
  open: string,
  close: string,
  members: readonly (readonly Piece[])[],
  rest: readonly (readonly Piece[])[],
): readonly Piece[] {
  const all = [...members, ...rest]
  if (all.length === 0) return [PLAIN(`${open}${close}`)]
  const separated = all.flatMap((pieces, i) => (i === 0 ? pieces : [PLAIN(', '), ...pieces]))
  return [PLAIN(`${open} `), ...separated, PLAIN(` ${close}`)]
}

/** Whether two previews of a document show the same. */
export function isSameRow(one: PreviewRow, other: PreviewRow): boolean {
  return one === other || shownOf(one) === shownOf(other)
}

function shownOf({ bytes, left, fields }: PreviewRow): string {
  return JSON.stringify([bytes, left, ...fields])
}
