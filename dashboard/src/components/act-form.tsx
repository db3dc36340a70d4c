import { type FormEvent, type ReactNode, useId } from 'react'
import styles from './act-form.module.css'

interface ActFormProps {
  readonly title: string
  /** Whether something is lost by it. */
  readonly isDanger?: boolean
  readonly onSubmit: () => unknown
  readonly children: ReactNode
}

/** A part of a page that does one thing. */
export function ActForm({ title, isDanger = false, onSubmit, children }: ActFormProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      className={isDanger ? `${styles.form} ${styles.danger}` : styles.form}
      onSubmit={submit}
      aria-labelledby={id}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </form>
  )
}
