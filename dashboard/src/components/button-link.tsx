import type { ReactNode } from 'react'
import { Link } from 'wouter'
import buttonStyles from './button.module.css'
import styles from './button-link.module.css'

interface ButtonLinkProps {
  readonly href: string
  readonly look?: 'main' | 'plain'
  readonly children: ReactNode
}

/** A link to another page that stands among buttons, and looks like one. */
export function ButtonLink({ href, look = 'plain', children }: ButtonLinkProps) {
  return (
    <Link href={href} className={classOf(look)}>
      {children}
    </Link>
  )
}

interface DownloadLinkProps extends ButtonLinkProps {
  readonly onClick?: () => void
}

/** Has the browser save what the server streams as a file: none of it is in the page's memory. */
export function DownloadLink({ href, look = 'plain', onClick, children }: DownloadLinkProps) {
  return (
    <a href={href} download className={classOf(look)} onClick={onClick}>
      {children}
    </a>
  )
}

function classOf(look: 'main' | 'plain'): string {
  return [buttonStyles.button, buttonStyles[look], styles.link, styles[look]].join(' ')
}
