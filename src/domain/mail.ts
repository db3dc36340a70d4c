/** A message of text alone. */
export interface Mail {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** What takes messages for everybody, and from whom they are. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the beginning, TLS that is begun by STARTTLS or else nothing is sent, or none. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly user?: string
  readonly password?: string
  /** An address. */
  readonly from: string
}
