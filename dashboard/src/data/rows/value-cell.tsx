import type { ReactNode } from 'react'
import { Value } from '../../components/value.tsx'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { ID, idValue } from './columns.ts'
import styles from './grid.module.css'
import { cellOf } from './grid-acts.ts'
import type { PreviewValue } from './preview-row.ts'
import { HEADS } from './row-keys.ts'
import type { RowSource } from './row-source.ts'
import { cellText, innerPieces, keyPieces, type Piece } from './shown-value.ts'
import { valueTime } from './value-time.ts'

/** A value on one line, as JSON, in its colours. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ text, kind }, i) =>
    kind === 'plain' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and are drawn anew together.
      <span key={i} className={styles.value} data-kind={kind}>
        <Value text={text} />
      </span>
    ),
  )
}

/** What a cell of a table shows of a value; nothing where the field is missing. */
export function CellValue({ value }: { readonly value: PreviewValue | undefined }) {
  return value === undefined ? null : <Value text={cellText(value)} className={styles.shown} />
}

/** What an attribute of a cell says of a text that is not all there: its length. */
export function lengthMark(value: PreviewValue | undefined): string | undefined {
  return value?.kind === 'text' ? value.length?.toLocaleString() : undefined
}

/** What a tooltip tells of a cell of a table; undefined where that is nothing. */
export function tellCell(
  element: HTMLElement,
  source: RowSource,
  columnAt: (column: number) => { readonly name: string } | undefined,
): ReactNode {
  const cell = cellOf(element)
  const row = cell && source.row(cell.row)
  const name = cell && columnAt(cell.column)?.name
  const shown = element.lastElementChild
  const isCut = shown !== null && shown.scrollWidth > shown.clientWidth
  if (cell?.row === HEADS && name !== undefined) return isCut ? <Value text={name} /> : undefined
  if (row === undefined || name === undefined) return undefined
  const value = name === ID ? idValue(row.id) : row.fields.get(name)
  const lines = value === undefined ? [] : tipLines(value, isCut)
  if (lines.length === 0) return undefined
  return lines.map((pieces, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and are drawn anew together.
    <div key={i}>
      <Pieces pieces={pieces} />
    </div>
  ))
}

/** What is told of a value beside what its cell shows, line by line. */
function tipLines(value: PreviewValue, isCut: boolean): readonly (readonly Piece[])[] {
  const lines: (readonly Piece[])[] = []
  if (value.kind === 'object' || value.kind === 'array') lines.push(...memberLines(value))
  else if (isCut || (value.kind === 'text' && value.length !== undefined))
    lines.push([{ text: cellText(value), kind: value.kind }])
  if (value.kind === 'text' && value.length !== undefined)
    lines.push([plain(GRID_TEXTS.length(value.length))])
  const time = valueTime(value)
  if (time !== undefined) lines.push([plain(GRID_TEXTS.asTime(time))])
  return lines
}

function memberLines(
  value: Extract<PreviewValue, { kind: 'object' | 'array' }>,
): readonly (readonly Piece[])[] {
  const lines =
    value.kind === 'object'
      ? value.first.map(([key, member]) => [...keyPieces(key), ...innerPieces(member)])
      : value.first.map(innerPieces)
  const beyond = value.count - lines.length
  return beyond > 0 ? [...lines, [plain(GRID_TEXTS.more(beyond))]] : lines
}

function plain(text: string): Piece {
  return { text, kind: 'plain' }
}
