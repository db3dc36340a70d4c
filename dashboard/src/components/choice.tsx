import type { ComponentProps, ReactNode } from 'react'
import styles from './choice.module.css'

interface ChoicesProps {
  readonly label: string
  readonly hint?: string
  /** Whether they stand beside each other. */
  readonly isRow?: boolean
  readonly children: ReactNode
}

/** Checkboxes or radio buttons about one thing. */
export function Choices({ label, hint, isRow = false, children }: ChoicesProps) {
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      <div className={isRow ? styles.row : undefined}>{children}</div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </fieldset>
  )
}

interface ChoiceProps extends ComponentProps<'input'> {
  readonly type: 'checkbox' | 'radio'
  readonly name: string
  readonly label: string
}

export function Choice({ label, ...props }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input {...props} />
      {label}
    </label>
  )
}
