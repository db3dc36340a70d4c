import { useLocation, useSearch } from 'wouter'
import { loaded } from '../loaded.tsx'
import { BACKUP_TEXTS } from '../texts/backup.ts'
import { Button } from './button.tsx'
import { Overlay } from './overlay.tsx'

const RestoreDialog = loaded(() => import('./restore-dialog.tsx'))

/** In the address of who has chosen to restore a backup. */
const RESTORE = 'restore'

/** Opens what makes a new app of a backup. */
export function RestoreApp() {
  const [, navigate] = useLocation()
  const isOpen = useSearch() === RESTORE
  const close = () => navigate('/apps', { replace: true })
  return (
    <div>
      <Button onClick={() => navigate(`/apps?${RESTORE}`)}>{BACKUP_TEXTS.restore.open}</Button>
      {isOpen && (
        <Overlay onClose={close}>
          <RestoreDialog onClose={close} />
        </Overlay>
      )}
    </div>
  )
}
