import { Dialog } from '@base-ui/react/dialog'
import { APP_PAGES } from '../app-pages.ts'
import { COMMAND } from '../shortcuts.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { HELP_TEXTS, PALETTE_TEXTS } from '../texts/palette.ts'
import { Button } from './button.tsx'
import dialogStyles from './dialog.module.css'
import styles from './palette.module.css'

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
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

/** Which keys do what. */
export default function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Popup className={dialogStyles.popup}>
          <Dialog.Title>{HELP_TEXTS.title}</Dialog.Title>
          <dl className={styles.keys}>
            {KEYS.map(([keys, does]) => (
              <div key={does}>
                <dt>
                  {keys.map((key, index) => (
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
          <p className={styles.note}>{HELP_TEXTS.switchable}</p>
          <Button onClick={onClose}>{PALETTE_TEXTS.close}</Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
