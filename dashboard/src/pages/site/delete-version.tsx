import { useState } from 'react'
import { askApi } from '../../api.ts'
import { appPath, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { type Deploy, deployPath } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'

const { remove: TEXTS } = SITE_TEXTS

interface DeleteVersionProps {
  readonly slug: string
  readonly deploy: Deploy
  /** Before what is shown is read anew. */
  readonly onDeleted?: () => void
}

/** Deletes a version that is not live, once it was said what goes with it. */
export function DeleteVersion({ slug, deploy: { version, files }, onDeleted }: DeleteVersionProps) {
  const refresh = useRefreshApps()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button look="quiet" aria-label={TEXTS.of(version)} onClick={() => setIsOpen(true)}>
        {TEXTS.button}
      </Button>
      {isOpen && (
        <ActDialog
          title={TEXTS.title(version)}
          explained={TEXTS.explained(files)}
          button={TEXTS.of(version)}
          act={() => askApi(`${appPath(slug)}${deployPath(version)}`, { method: 'DELETE' })}
          onDone={() => {
            close()
            onDeleted?.()
            return refresh()
          }}
          onClose={close}
        />
      )}
    </>
  )
}
