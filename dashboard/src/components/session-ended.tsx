import { Dialog } from '@base-ui/react/dialog'
import { TEXTS } from '../texts.ts'
import styles from './dialog.module.css'
import { OtherWaysIn } from './other-ways-in.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Asks whoever is on a page whose session has ended to sign in again, and leaves the page as it is. */
export function SessionEnded({ email }: { readonly email: string }) {
  return (
    <Dialog.Root open modal>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title>{TEXTS.ended.title}</Dialog.Title>
          <Dialog.Description>{TEXTS.ended.explained}</Dialog.Description>
          <SignInForm email={email} />
          <OtherWaysIn />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
