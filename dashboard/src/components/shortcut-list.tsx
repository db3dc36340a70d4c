import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { APP_PAGES } from '../app-pages.ts'
import { COMMAND } from '../shortcuts.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { HELP_TEXTS, PALETTE_TEXTS } from '../texts/palette.ts'
import { Button } from './button.tsx'
import dialogStyles from './dialog.module.css'
import styles from './palette.module.css'

type Keys = readonly (readonly [keys: readonly string[], does: string])[]

const EVERYWHERE: Keys = [
  [[`${COMMAND}K`], HELP_TEXTS.palette],
  [['?'], HELP_TEXTS.help],
  ...APP_PAGES.flatMap(({ page, letter }) =>
    letter === undefined ? [] : [[['g', letter], APP_TEXTS[page]] as const],
  ),
  [['/'], HELP_TEXTS.query],
  [['n'], HELP_TEXTS.create],
  [['r'], HELP_TEXTS.readAgain],
  [['Esc'], HELP_TEXTS.close],
]

const IN_LIST: Keys = [
  [['Enter'], HELP_TEXTS.open],
  [['j'], HELP_TEXTS.next],
  [['k'], HELP_TEXTS.previous],
  [['Space'], HELP_TEXTS.choose],
  [['Shift ↓'], HELP_TEXTS.stretch],
  [[`${COMMAND}A`], HELP_TEXTS.all],
  [[`${COMMAND}C`], HELP_TEXTS.copy],
  [[`${COMMAND}End`], HELP_TEXTS.last],
]

/** Which keys do what. */
export default function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        {/* Its button is below what may be more than the window shows. */}
        <Dialog.Popup ref={popup} initialFocus={popup} className={dialogStyles.popup}>
          <Dialog.Title>{HELP_TEXTS.title}</Dialog.Title>
          <KeyList keys={EVERYWHERE} />
          <h3>{HELP_TEXTS.inList}</h3>
          <KeyList keys={IN_LIST} />
          <p className={styles.note}>{HELP_TEXTS.switchable}</p>
          <Button onClick={onClose}>{PALETTE_TEXTS.close}</Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function KeyList({ keys }: { readonly keys: Keys }) {
  return (
    <dl className={styles.keys}>
      {keys.map(([pressed, does]) => (
        <div key={does}>
          <dt>
            {pressed.map((key, index) => (
              <span key={key}>
                {index > 0 && ` ${HELP_TEXTS.between} `}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
