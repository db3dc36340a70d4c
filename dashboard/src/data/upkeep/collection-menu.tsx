import { Menu } from '@base-ui/react/menu'
import { useState } from 'react'
import menuStyles from '../../components/menu.module.css'
import { Overlay } from '../../components/overlay.tsx'
import { Icon } from '../../icons.tsx'
import { loaded } from '../../loaded.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import type { CollectionAddress } from '../documents-api.ts'
import styles from './collection-menu.module.css'
import type { BinEntry } from './upkeep-api.ts'

const RenameDialog = loaded(() => import('./rename-dialog.tsx'))
const BinDialog = loaded(() => import('./bin-dialog.tsx'))

const ACTS = ['rename', 'empty', 'drop'] as const

export interface CollectionMenuProps {
  readonly address: CollectionAddress
  /** How many it has, as far as the page knows. */
  readonly documents: number
  readonly onRenamed: (name: string) => void
  /** @param entry of the bin; undefined where there was nothing to be put into it */
  readonly onBinned: (entry: BinEntry | undefined) => void
}

/** What is done to a collection as a whole. */
export function CollectionMenu({ address, documents, onRenamed, onBinned }: CollectionMenuProps) {
  const [act, setAct] = useState<(typeof ACTS)[number]>()
  const close = () => setAct(undefined)
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          className={styles.trigger}
          aria-label={showUnseen(UPKEEP_TEXTS.menuOf(address.collection))}
        >
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal render={<section aria-label={UPKEEP_TEXTS.menu} />}>
          <Menu.Positioner sideOffset={4} align="end" className={menuStyles.positioner}>
            <Menu.Popup className={menuStyles.popup}>
              {ACTS.map((each) => (
                <Menu.Item key={each} className={menuStyles.item} onClick={() => setAct(each)}>
                  {UPKEEP_TEXTS[each].item}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {act !== undefined && (
        <Overlay onClose={close}>
          {act === 'rename' ? (
            <RenameDialog
              address={address}
              onRenamed={(name) => {
                close()
                onRenamed(name)
              }}
              onClose={close}
            />
          ) : (
            <BinDialog
              address={address}
              documents={documents}
              reason={act}
              onBinned={(entry) => {
                close()
                onBinned(entry)
              }}
              onClose={close}
            />
          )}
        </Overlay>
      )}
    </>
  )
}
