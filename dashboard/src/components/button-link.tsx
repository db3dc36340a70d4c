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

function classOf(look: 'main' | 'plain'): string {
  return [buttonStyles.button, buttonStyles[look], styles.link, styles[look]].join(' ')
}
