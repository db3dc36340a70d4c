import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Icon } from '../icons.tsx'
import { loaded } from '../loaded.tsx'
import { COMMAND, useShortcuts } from '../shortcuts.ts'
import { PALETTE_TEXTS } from '../texts/palette.ts'
import { Overlay } from './overlay.tsx'
import styles from './palette.module.css'

const PaletteDialog = loaded(() => import('./palette-dialog.tsx'))
const ShortcutList = loaded(() => import('./shortcut-list.tsx'))

const OpenContext = createContext<() => void>(() => undefined)

/** Lets what is in it be searched by name, and by the keys of every page. */
export function Palette({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'help'>()
  const openPalette = useCallback(() => setShown('palette'), [])
  const openHelp = useCallback(() => setShown('help'), [])
  // What was chosen in it may have opened the list.
  const closePalette = () => setShown((current) => (current === 'palette' ? undefined : current))
  useShortcuts({ openPalette, openHelp })
  return (
    <OpenContext value={openPalette}>
      {children}
      {shown !== undefined && (
        <Overlay onClose={() => setShown(undefined)}>
          {shown === 'palette' && <PaletteDialog onHelp={openHelp} onClose={closePalette} />}
          {shown === 'help' && <ShortcutList onClose={() => setShown(undefined)} />}
        </Overlay>
      )}
    </OpenContext>
  )
}

export function OpenPalette() {
  const open = use(OpenContext)
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={`${PALETTE_TEXTS.open} ${COMMAND}K`}
      onClick={open}
    >
      <Icon name="search" />
      <span className={styles.words}>
        {PALETTE_TEXTS.open} <kbd>{COMMAND}K</kbd>
      </span>
    </button>
  )
}
