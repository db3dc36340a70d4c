import type { AddressInfo } from 'node:net'
import type { Authenticator } from '../credentials/authenticate.ts'
import { AppError } from '../errors.ts'
import type { OperationContext } from '../operations/context.ts'
import { RequestHandler } from './handle-request.ts'
import { RequestLines } from './request-lines.ts'
import type { HttpTimeouts } from './timeouts.ts'
import { DEFAULT_TIMEOUTS } from './timeouts.ts'
import type { TlsIdentity } from './tls-listener.ts'
import { TlsListener } from './tls-listener.ts'

export interface ServerDependencies {
  readonly context: OperationContext
  readonly authenticator: Authenticator
  readonly tls: TlsIdentity
  /** Writes an unexpected failure to the log; no message holds a path, a query string or a credential. */
  readonly logFault: (message: string, error: unknown) => void
  readonly timeouts?: HttpTimeouts
}

interface ListenOptions {
  /** A name or an address; `localhost` is both of its addresses. */
  readonly host: string
  /** Zero takes a free one. */
  readonly port: number
}

export interface HttpServer {
  /**
   * Starts to serve; answers where.
   * @throws AppError `port_unavailable`
   */
  listen(options: ListenOptions): Promise<AddressInfo[]>
  /**
   * Stops accepting, finishes the requests that are open, for `limits.shutdownMs` at most, and closes every
   * connection.
   */
  close(): Promise<void>
}

/**
 * The HTTPS entrance to the REST interface.
 * @throws AppError `invalid_certificate`
 */
export function createServer(dependencies: ServerDependencies): HttpServer {
  return new ListeningServer(dependencies)
}

class ListeningServer implements HttpServer {
  private readonly dependencies: ServerDependencies
  private readonly timeouts: HttpTimeouts
  private readonly lines: RequestLines
  private readonly first: TlsListener
  private readonly others: TlsListener[] = []
  private stopping = false

  constructor(dependencies: ServerDependencies) {
    const { context, authenticator, logFault, timeouts = DEFAULT_TIMEOUTS } = dependencies
    const isStopping = (): boolean => this.stopping
    const handler = new RequestHandler({ context, authenticator, logFault, timeouts, isStopping })
    this.dependencies = dependencies
    this.timeouts = timeouts
    this.lines = new RequestLines((...request) => handler.handle(...request))
    this.first = this.createListener()
  }

  async listen({ host, port }: ListenOptions): Promise<AddressInfo[]> {
    try {
      if (host !== 'localhost') return [await this.first.listen({ host, port })]
      const address = await this.first.listen({ host: '127.0.0.1', port })
      const second = await this.listenOnIpv6(address.port)
      return second === undefined ? [address] : [address, second]
    } catch (error) {
      await this.close()
      throw portUnavailable(error as NodeJS.ErrnoException, port)
    }
  }

  async close(): Promise<void> {
    this.stopping = true
    const listeners = [this.first, ...this.others]
    const closed = Promise.all(listeners.map((listener) => listener.stop()))
    const timer = setTimeout(() => {
      for (const listener of listeners) listener.destroyAll()
    }, this.dependencies.context.limits.shutdownMs)
    await closed
    clearTimeout(timer)
  }

  /** Many machines, and most containers, have no IPv6; there the IPv4 address is all of localhost. */
  private async listenOnIpv6(port: number): Promise<AddressInfo | undefined> {
    const listener = this.createListener()
    try {
      const address = await listener.listen({ host: '::1', port })
      this.others.push(listener)
      return address
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return undefined
      throw error
    }
  }

  private createListener(): TlsListener {
    const { timeouts, lines } = this
    const { tls, context, logFault } = this.dependencies
    return new TlsListener({ tls, limits: context.limits, timeouts, lines, logFault })
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  EADDRINUSE: 'another program uses it; stop that one or choose another port with --port',
  EACCES: 'this user may not listen on it; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
  ENOTFOUND: 'the host name is not known; choose another with --host',
})

function portUnavailable(error: NodeJS.ErrnoException, port: number): AppError {
  const problem = LISTEN_PROBLEMS[error.code ?? ''] ?? error.message
  return new AppError('port_unavailable', `can't listen on port ${port}: ${problem}`, { cause: error })
}
