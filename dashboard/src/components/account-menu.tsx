import { Menu } from '@base-ui/react/menu'
import { useState } from 'react'
import { Link } from 'wouter'
import { COLOUR_SCHEMES, type ColourScheme, chooseColourScheme, colourScheme } from '../colour-scheme.ts'
import { Icon } from '../icons.tsx'
import { useSession, useSessionStore } from '../session.ts'
import { showUnseen } from '../show-unseen.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import styles from './menu.module.css'
import { Problem } from './problem.tsx'
import { Value } from './value.tsx'

/** Who is signed in, the colours, and the way out. */
export function AccountMenu() {
  const { account } = useSession()
  const session = useSessionStore()
  const { run, error } = useAction(() => session.signOut())
  return (
    <Menu.Root>
      <Menu.Trigger
        className={styles.trigger}
        aria-label={showUnseen(`${TEXTS.account.menu}: ${account?.name}`)}
      >
        {/* A mark rather than a text, which the button's name would have to hold. */}
        <span className={styles.initials} data-initials={showUnseen(initials(account?.name ?? ''))} />
        <Icon name="down" />
      </Menu.Trigger>
      <Menu.Portal render={<section aria-label={TEXTS.account.menu} />}>
        <Menu.Positioner sideOffset={4} align="end" className={styles.positioner}>
          <Menu.Popup className={styles.popup}>
            <Menu.Group>
              <Menu.GroupLabel className={styles.who}>
                <Value text={account?.name} />
                <Value text={account?.email} />
              </Menu.GroupLabel>
            </Menu.Group>
            <Menu.LinkItem className={styles.item} closeOnClick render={<Link href="/account" />}>
              {TEXTS.account.page}
            </Menu.LinkItem>
            {account?.isOperator && (
              <Menu.LinkItem className={styles.item} closeOnClick render={<Link href="/server" />}>
                {TEXTS.account.server}
              </Menu.LinkItem>
            )}
            <Schemes />
            <Menu.Separator className={styles.separator} />
            <Menu.Item className={styles.item} closeOnClick={false} onClick={() => run(undefined)}>
              {TEXTS.account.signOut}
            </Menu.Item>
            {error !== null && <Problem error={error} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Schemes() {
  const [scheme, setScheme] = useState(colourScheme)
  const choose = (chosen: ColourScheme) => {
    chooseColourScheme(chosen)
    setScheme(chosen)
  }
  return (
    <Menu.RadioGroup value={scheme} onValueChange={choose}>
      <Menu.Group>
        <Menu.GroupLabel className={styles.label}>{TEXTS.account.scheme}</Menu.GroupLabel>
        {COLOUR_SCHEMES.map((each) => (
          <Menu.RadioItem key={each} value={each} className={styles.item} closeOnClick={false}>
            {TEXTS.account.schemes[each]}
            <Menu.RadioItemIndicator>
              <Icon name="check" />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.Group>
    </Menu.RadioGroup>
  )
}

/** The first letters of the first and the last word, as far as there are such. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => [...word][0]!.toUpperCase()).join('')
}
