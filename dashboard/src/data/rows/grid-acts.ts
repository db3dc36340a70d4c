import type { KeyboardEvent, MouseEvent } from 'react'
import { type Cell, CHOOSE, cellByKey, type GridSize, HEADS } from './row-keys.ts'
import type { useChoice } from './use-choice.ts'

/** What keys and clicks do something to. */
export interface GridTargets {
  readonly active: Cell
  readonly size: GridSize
  readonly choice: ReturnType<typeof useChoice>
  readonly selection: ReadonlySet<string>
  /** Of a row, as JSON text; undefined where it isn't loaded. */
  readonly idAt: (row: number) => string | undefined
  readonly hasOpen: boolean
  readonly hasLetterKeys: boolean
  readonly goTo: (cell: Cell) => void
  /** Does what a click on a cell does. */
  readonly press: (cell: Cell) => void
  readonly onCopy: (ids: readonly string[], column: number | undefined) => void
  readonly onDelete: ((ids: readonly string[]) => void) | undefined
}

/** @returns whether the key does something */
export function pressKey(event: KeyboardEvent, targets: GridTargets): boolean {
  const { active, choice, press } = targets
  const { key } = event
  const isCommand = event.metaKey || event.ctrlKey
  if (isCommand && key.toLowerCase() === 'c') return copy(targets)
  if (isCommand && key.toLowerCase() === 'a') {
    choice.chooseAll()
    return true
  }
  switch (key) {
    case 'Enter':
      press(active)
      return true
    case ' ':
      if (active.row === HEADS) press(active)
      else choice.toggle(active.row)
      return true
    case 'Delete':
      return remove(targets)
    case 'j':
    case 'k':
      return !isCommand && openBeside(targets, key === 'j' ? 1 : -1)
    default:
      return move(event, targets)
  }
}

/** Those that are chosen, or else that of the cell with the focus. */
function chosenIds({ selection, active, idAt }: GridTargets): readonly string[] {
  return selection.size > 0 ? [...selection] : [idAt(active.row) ?? []].flat()
}

function copy(targets: GridTargets): boolean {
  const ids = chosenIds(targets)
  // What was marked with the pointer is the browser's to copy.
  if (getSelection()?.isCollapsed === false || ids.length === 0) return false
  targets.onCopy(ids, targets.selection.size > 0 ? undefined : targets.active.column)
  return true
}

function remove(targets: GridTargets): boolean {
  const ids = chosenIds(targets)
  if (targets.onDelete === undefined || ids.length === 0) return false
  targets.onDelete(ids)
  return true
}

function openBeside({ active, idAt, hasOpen, hasLetterKeys, goTo, press }: GridTargets, by: number): boolean {
  const beside = { ...active, row: active.row + by }
  if (!hasOpen || !hasLetterKeys || idAt(beside.row) === undefined) return false
  goTo(beside)
  press(beside)
  return true
}

function move(event: KeyboardEvent, { active, size, choice, goTo }: GridTargets): boolean {
  const { key, shiftKey, metaKey, ctrlKey } = event
  const next = cellByKey(active, { key, isCommand: metaKey || ctrlKey }, size)
  if (next === undefined) return false
  if (shiftKey && next.row !== HEADS && active.row !== HEADS) choice.stretchTo(next.row, active.row)
  else choice.endStretch(next.row)
  goTo(next)
  return true
}

/** A click opens a document; on its box, or with ⌘ or Ctrl, it chooses it, and with Shift all up to there. */
export function clickCell(event: MouseEvent, { choice, goTo, press }: GridTargets): void {
  const cell = cellOf(event.target)
  // A label's click comes once more, as that of its box.
  if (cell === undefined || (event.target as Element).matches('label')) return
  const isChoice = cell.column === CHOOSE || event.metaKey || event.ctrlKey
  if (cell.row === HEADS) press(cell)
  else if (event.shiftKey) choice.stretchTo(cell.row)
  else if (isChoice) choice.toggle(cell.row)
  // Whoever has marked a text wants to have it, and no document.
  else if (getSelection()?.isCollapsed !== false) {
    choice.endStretch(cell.row)
    press(cell)
  }
  goTo(cell)
}

/** The cell that an element is in, by the attributes of it and its row. */
export function cellOf(element: EventTarget): Cell | undefined {
  if (!(element instanceof Element)) return undefined
  const column = element.closest<HTMLElement>('[data-column]')?.dataset.column
  const row = element.closest<HTMLElement>('[data-row]')?.dataset.row
  return column === undefined || row === undefined ? undefined : { row: Number(row), column: Number(column) }
}
