import { Menu } from '@base-ui/react/menu'
import type { RefObject } from 'react'
import menuStyles from '../../components/menu.module.css'
import { Value } from '../../components/value.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { GRID_TEXTS } from '../../texts/grid.ts'
import {
  type Arrangement,
  AS_FOUND,
  type FoundColumn,
  hideColumns,
  ID,
  moveColumn,
  type PlacedColumn,
  showColumn,
  shownColumns,
  widenColumn,
} from './columns.ts'
import styles from './grid.module.css'

interface ColumnsMenuProps {
  readonly name: string
  readonly isOpen: boolean
  /** In which the heads of columns are. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly found: readonly FoundColumn[]
  readonly placed: readonly PlacedColumn[]
  readonly arrangement: Arrangement
  readonly onArrange: (arrangement: Arrangement) => void
  readonly onClose: () => void
}

/** Arranges a column and those beside it, without dragging (WCAG 2.2, 2.5.7). */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const { name, isOpen, scroller, found, placed, arrangement, onArrange, onClose } = props
  const column = placed.find((each) => each.name === name)
  const head = () => headOf(scroller.current, name)
  const shown = shownColumns(found, arrangement)
  const place = shown.findIndex((each) => each.name === name)
  const hidden = found.filter((each) => each.name !== ID && !shown.includes(each))
  const widen = (steps: number) => column && onArrange(widenColumn(arrangement, column, steps))
  const move = (by: number) => onArrange(moveColumn(arrangement, found, { name, by }))
  const others = shown.map((each) => each.name).filter((each) => each !== name && each !== ID)
  return (
    <Menu.Root open={isOpen} onOpenChange={(willOpen) => willOpen || onClose()}>
      <Menu.Portal render={<section aria-label={showUnseen(GRID_TEXTS.columnMenu(name))} />}>
        <Menu.Positioner anchor={head} sideOffset={4} align="start" className={menuStyles.positioner}>
          <Menu.Popup className={`${menuStyles.popup} ${styles.menu}`} finalFocus={head}>
            <Menu.Group>
              <Menu.GroupLabel className={menuStyles.label}>
                <Value text={name} className={styles.shown} />
              </Menu.GroupLabel>
              {place > 0 && (
                <>
                  <Act isOff={place === 1} onAct={() => move(-1)} words={GRID_TEXTS.moveLeft} />
                  <Act
                    isOff={place === shown.length - 1}
                    onAct={() => move(1)}
                    words={GRID_TEXTS.moveRight}
                  />
                  <Act isOff={place === 1} onAct={() => move(-place)} words={GRID_TEXTS.moveFirst} />
                </>
              )}
              <Act onAct={() => widen(1)} words={GRID_TEXTS.wider} />
              <Act onAct={() => widen(-1)} words={GRID_TEXTS.narrower} />
            </Menu.Group>
            <Menu.Separator className={menuStyles.separator} />
            {place > 0 && (
              <Act isLast onAct={() => onArrange(hideColumns(arrangement, [name]))} words={GRID_TEXTS.hide} />
            )}
            {others.length > 0 && (
              <Act
                isLast
                onAct={() => onArrange(hideColumns(arrangement, others))}
                words={GRID_TEXTS.hideOthers}
              />
            )}
            <Act isLast onAct={() => onArrange(AS_FOUND)} words={GRID_TEXTS.asFound} />
            {hidden.length > 0 && (
              <Menu.Group>
                <Menu.GroupLabel className={menuStyles.label}>{GRID_TEXTS.hidden}</Menu.GroupLabel>
                {hidden.map((each) => (
                  <Act
                    key={each.name}
                    onAct={() => onArrange(showColumn(arrangement, each.name))}
                    words={GRID_TEXTS.show(each.name)}
                  />
                ))}
              </Menu.Group>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** Where the column is hidden, what has the focus in its place. */
function headOf(scroller: HTMLElement | null, name: string): HTMLElement | null {
  const heads = scroller?.querySelectorAll<HTMLElement>('[data-name]') ?? []
  const head = [...heads].find(({ dataset }) => dataset.name === name)
  return head ?? scroller?.querySelector<HTMLElement>('[tabindex="0"]') ?? null
}

interface ActProps {
  readonly words: string
  readonly onAct: () => void
  readonly isOff?: boolean
  /** Whether nothing is left to be done with the menu. */
  readonly isLast?: boolean
}

function Act({ words, onAct, isOff = false, isLast = false }: ActProps) {
  return (
    <Menu.Item className={menuStyles.item} closeOnClick={isLast} disabled={isOff} onClick={onAct}>
      <Value text={words} className={styles.shown} />
    </Menu.Item>
  )
}
