import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A message as it came. */
export interface ReceivedMail {
  readonly from: string
  /** Whom the envelope names. */
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** Headers and body, as they were sent. */
  readonly source: string
}

export interface MailServerOptions {
  /** With it TLS from the beginning. */
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer }
  /** Who may send; without it everybody. */
  readonly login?: { readonly user: string; readonly password: string }
  /** What to say to the recipient of a message, by how many there were before. */
  readonly refusal?: (before: number) => { readonly code: number; readonly message: string } | undefined
}

/** A mail server that keeps what it is sent. */
export class TestMailServer {
  readonly received: ReceivedMail[] = []
  /** How often somebody has sent a password. */
  logins = 0
  private readonly server: SMTPServer
  private readonly waiting: ((mail: ReceivedMail) => void)[] = []
  private taken = 0
  private recipients = 0

  private constructor({ tls, login, refusal }: MailServerOptions) {
    this.server = new SMTPServer({
      ...(tls ? { secure: true, ...tls } : { disabledCommands: ['STARTTLS'] }),
      ...{ authOptional: login === undefined, allowInsecureAuth: true, disableReverseLookup: true },
      onAuth: ({ username, password }, _session, answer) => {
        this.logins++
        if (username === login?.user && password === login?.password) answer(null, { user: username })
        else answer(new Error('wrong'))
      },
      onRcptTo: (_address, _session, answer) => {
        const refused = refusal?.(this.recipients++)
        if (refused === undefined) answer()
        else answer(Object.assign(new Error(refused.message), { responseCode: refused.code }))
      },
      onData: async (stream, { envelope, secure }, answer) => {
        const source = await text(stream)
        const to = envelope.rcptTo.map(({ address }) => address)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        this.take({ from, to, isEncrypted: secure, source })
        answer()
      },
    })
    // Clients that hang up are a part of the tests.
    this.server.on('error', () => undefined)
  }

  static async start(options: MailServerOptions = {}): Promise<TestMailServer> {
    const made = new TestMailServer(options)
    const listening = made.server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    return made
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port
  }

  /** The next message that nobody has asked for yet, when it is there. */
  next(): Promise<ReceivedMail> {
    const there = this.received[this.taken++]
    return there === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(there)
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private take(mail: ReceivedMail): void {
    this.received.push(mail)
    this.waiting.shift()?.(mail)
  }
}

/** The text of a message, put together from its lines. */
export function bodyOf({ source }: ReceivedMail): string {
  const body = source.slice(source.indexOf('\r\n\r\n') + 4).replaceAll('\r\n', '\n')
  if (!/^content-transfer-encoding: quoted-printable/im.test(source)) return body
  return body
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
}
