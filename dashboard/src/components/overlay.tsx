import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { isNotLoaded } from '../not-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { ErrorBoundary } from './error-boundary.tsx'

interface OverlayProps {
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What opens over a page and is loaded then. Where it fails it says so, and leaves the page with what was typed in it. */
export function Overlay({ onClose, children }: OverlayProps) {
  return (
    <ErrorBoundary path="" fallback={(error) => <FailedDialog error={error} onClose={onClose} />}>
      {children}
    </ErrorBoundary>
  )
}

function FailedDialog({ error, onClose }: { readonly error: Error; readonly onClose: () => void }) {
  const { title, part } = isNotLoaded(error) ? TEXTS.notLoaded : TEXTS.failed
  return (
    <Dialog.Root open modal onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description>{part}</Dialog.Description>
          <Button onClick={onClose}>{TEXTS.close}</Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
