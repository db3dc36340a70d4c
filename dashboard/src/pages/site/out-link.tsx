import type { ReactNode } from 'react'
import buttonStyles from '../../components/button.module.css'
import linkStyles from '../../components/button-link.module.css'

interface OutLinkProps {
  readonly href: string
  readonly look?: 'main' | 'plain'
  readonly label?: string
  readonly children: ReactNode
}

/** Opens a site beside the dashboard, which it is told nothing of. */
export function OutLink({ href, look = 'plain', label, children }: OutLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      className={[buttonStyles.button, buttonStyles[look], linkStyles.link, linkStyles[look]].join(' ')}
    >
      {children}
    </a>
  )
}
