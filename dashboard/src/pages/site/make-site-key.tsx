import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Overlay } from '../../components/overlay.tsx'
import { loaded } from '../../loaded.tsx'
import { SITE_TEXTS } from '../../texts/site.ts'

const SiteKeyDialog = loaded(() => import('./site-key-dialog.tsx'))

/** For whoever has just deployed. */
export function SiteKeyOffer({ slug }: { readonly slug: string }) {
  return (
    <>
      <p>{SITE_TEXTS.key.offer}</p>
      <div className={formStyles.acts}>
        <MakeSiteKey slug={slug} />
      </div>
    </>
  )
}

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
