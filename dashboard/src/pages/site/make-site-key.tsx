import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Overlay } from '../../components/overlay.tsx'
import { loaded } from '../../loaded.tsx'
import { SITE_TEXTS } from '../../texts/site.ts'

const SiteKeyDialog = loaded(() => import('./site-key-dialog.tsx'))

/** Leads to the dialog that makes a site key. */
export function MakeSiteKey({ slug }: { readonly slug: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{SITE_TEXTS.key.make}</Button>
      {isOpen && (
        <Overlay onClose={close}>
          <SiteKeyDialog slug={slug} onClose={close} />
        </Overlay>
      )}
    </>
  )
}
