import { GRID_TEXTS } from '../../texts/grid.ts'
import { ID, idValue } from './columns.ts'
import type { PreviewRow } from './preview-row.ts'
import { jsonPieces, keyPieces, type Piece } from './shown-value.ts'

/** Of a document, with both of its brackets. */
const MOST_LINES = 14
/** Brackets and `_id`. */
export const LEAST_LINES = 3

/** How many lines a document takes, up to as many as one may have. */
export function lineCount({ fields, left }: PreviewRow): number {
  return Math.min(MOST_LINES, LEAST_LINES + membersOf(fields).length + (left > 0 ? 1 : 0))
}

function membersOf(fields: PreviewRow['fields']) {
  return [...fields].filter(([name]) => name !== ID)
}

/**
 * A document as JSON, a field a line.
 * @param most lines; what has no room is counted in the last but one
 */
export function jsonLines({ id, fields, left }: PreviewRow, most: number): readonly (readonly Piece[])[] {
  const members = membersOf(fields)
  const isAll = left === 0 && members.length + LEAST_LINES <= most
  const shown = isAll ? members : members.slice(0, Math.max(0, most - LEAST_LINES - 1))
  const rest = left + members.length - shown.length
  const lines = [
    [...keyPieces(ID), { text: id, kind: idValue(id).kind }],
    ...shown.map(([name, value]) => [...keyPieces(name), ...jsonPieces(value, GRID_TEXTS.more)]),
    ...(rest > 0 ? [[plain(`… ${GRID_TEXTS.leftMore(rest)}`)]] : []),
  ]
  const indented = lines.map((pieces, i) => [plain('  '), ...pieces, plain(i < lines.length - 1 ? ',' : '')])
  return [[plain('{')], ...indented, [plain('}')]]
}

function plain(text: string): Piece {
  return { text, kind: 'plain' }
}
