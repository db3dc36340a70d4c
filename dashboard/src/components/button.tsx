import type { ComponentProps } from 'react'
import { showUnseen } from '../show-unseen.ts'
import styles from './button.module.css'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger'
  /** Whether what it began is still under way; it can be pressed, and does nothing, so that the focus stays on it. */
  readonly isBusy?: boolean
}

export function Button({
  look = 'plain',
  isBusy = false,
  type = 'button',
  className,
  'aria-label': label,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      aria-label={label && showUnseen(label)}
      type={type}
      className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
    />
  )
}
