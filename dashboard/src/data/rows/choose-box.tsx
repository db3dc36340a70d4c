import { showUnseen } from '../../show-unseen.ts'
import { GRID_TEXTS } from '../../texts/grid.ts'
import styles from './grid.module.css'

interface ChooseBoxProps {
  /** JSON text; undefined of the box for all rows. */
  readonly id?: string
  readonly isChosen: boolean
}

/** The box by which a row is chosen; the grid takes its clicks, and has keys for it. */
export function ChooseBox({ id, isChosen }: ChooseBoxProps) {
  const label = id === undefined ? GRID_TEXTS.chooseAll : GRID_TEXTS.chooseOne(id)
  return (
    <label className={styles.box}>
      <input type="checkbox" checked={isChosen} readOnly tabIndex={-1} aria-label={showUnseen(label)} />
    </label>
  )
}
