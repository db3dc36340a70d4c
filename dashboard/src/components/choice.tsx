import type { ComponentProps, ReactNode } from 'react'
import styles from './choice.module.css'

/** Checkboxes or radio buttons about one thing. */
export function Choices({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      {children}
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
