import { networkOf } from '../credentials/failure-limiter.ts'
import { isInside, parseAddress, parseNetwork } from '../domain/network.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export interface ConnectionLimitsOptions {
  readonly openConnections: number
  readonly addressConnections: number
  /** Addresses behind which are many clients, such as a proxy of the operator's own. */
  readonly isShared: (address: string) => boolean
  readonly warn: (message: string) => void
}

/**
 * The addresses whose connections are not counted: those of trusted proxies, and of this machine, on which a proxy or a
 * tunnel may run that nobody told of.
 */
export function sharedAddresses(trustProxy: readonly string[]): (address: string) => boolean {
  const networks = [...LOOPBACK, ...trustProxy].map(parseNetwork).filter((network) => network !== undefined)
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && isInside(address, networks)
  }
}

/** Counts the connections that are open, overall and by network. */
export class ConnectionLimits {
  private readonly options: ConnectionLimitsOptions
  private readonly counts = new Map<string, number>()
  private open = 0

  constructor(options: ConnectionLimitsOptions) {
    this.options = options
  }

  /** Counts a connection; answers what to call when it closes, or undefined where it is one too many. */
  enter(address: string): (() => void) | undefined {
    const { openConnections, addressConnections, isShared, warn } = this.options
    if (this.open >= openConnections) {
      warn(`connections are dropped: ${openConnections} are open, as many as are allowed`)
      return undefined
    }
    const network = networkOf(address)
    const count = this.counts.get(network) ?? 0
    if (count >= addressConnections && !isShared(address)) {
      warn(`connections are dropped: ${network} has ${addressConnections}, as many as one address may have`)
      return undefined
    }
    this.open++
    this.counts.set(network, count + 1)
    return () => this.leave(network)
  }

  private leave(network: string): void {
    const count = this.counts.get(network)!
    this.open--
    if (count === 1) this.counts.delete(network)
    else this.counts.set(network, count - 1)
  }
}
