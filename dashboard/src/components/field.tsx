import { type ComponentProps, useId, useState } from 'react'
import { showUnseen } from '../show-unseen.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './field.module.css'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** What is wrong with what was typed; it stands in the place of the hint. */
  readonly problem?: string | undefined
}

/** A line to type in, with its label above and a hint below. */
export function Field({ label, hint, problem, ...props }: FieldProps) {
  const id = useId()
  const isWrong = problem !== undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{showUnseen(label)}</label>
      <input
        {...props}
        {...describedBy(id, problem ?? hint)}
        id={id}
        className={styles.input}
        aria-invalid={isWrong || undefined}
      />
      {hint !== undefined && <Hint id={id} hint={problem ?? hint} isProblem={isWrong} />}
    </div>
  )
}

/** The same for a password, which can be shown. */
export function PasswordField({ label, hint, ...props }: Omit<FieldProps, 'type' | 'problem'>) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.beside}>
        <input
          {...props}
          {...describedBy(id, hint)}
          id={id}
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button
          look="quiet"
          className={styles.show}
          aria-label={`${isShown ? TEXTS.hide : TEXTS.show}: ${label}`}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? TEXTS.hide : TEXTS.show}
        </Button>
      </div>
      {hint !== undefined && <Hint id={id} hint={hint} />}
    </div>
  )
}

interface HintProps {
  readonly id: string
  readonly hint: string
  readonly isProblem?: boolean
}

function Hint({ id, hint, isProblem = false }: HintProps) {
  return (
    <p id={`${id}-hint`} className={isProblem ? styles.wrong : styles.hint} aria-live="polite">
      {hint}
    </p>
  )
}

function describedBy(id: string, hint: string | undefined) {
  return hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
}
