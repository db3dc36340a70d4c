import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { DeleteAccountDialog } from '../../components/delete-account-dialog.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useSessionStore } from '../../session.ts'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'

export function AccountDeletion({ email }: { readonly email: string }) {
  const session = useSessionStore()
  const [isOpen, setIsOpen] = useState(false)
  const { title, note, button } = ACCOUNT_TEXTS.deletion
  return (
    <Section title={title} note={note}>
      <div className={formStyles.acts}>
        <Button onClick={() => setIsOpen(true)}>{button}</Button>
      </div>
      {isOpen && (
        <DeleteAccountDialog
          path="/account"
          email={email}
          onDone={() => session.forget()}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Section>
  )
}
