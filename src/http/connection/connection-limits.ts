import { isInside, networkOf, parseAddress, parseNetwork } from '../../domain/network.ts'
import type { SharedCount } from '../../shared-memory/count.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../../shared-memory/table.ts'

/** Connections of a network. */
const COUNT = 0
const FIELDS = 1

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export interface ConnectionLimitsOptions {
  readonly openConnections: number
  readonly addressConnections: number
  /** How many files the system lets the process open, where that made `openConnections` smaller. */
  readonly openFiles?: number | undefined
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

/** Memory for the counts by network, for as many networks as there may be connections. */
export function createConnectionCounts(openConnections: number): TableMemory {
  return createTable({ names: openConnections, fields: FIELDS })
}

/** The connections of all threads that are given the same. */
export interface ConnectionCounts {
  readonly open: SharedCount
  readonly byNetwork: TableMemory
}

/** Counts the connections that are open, overall and by network. */
export class ConnectionLimits {
  private readonly options: ConnectionLimitsOptions
  private readonly open: SharedCount
  private readonly byNetwork: SharedTable

  constructor(options: ConnectionLimitsOptions, { open, byNetwork }: ConnectionCounts) {
    this.options = options
    this.open = open
    this.byNetwork = new SharedTable(byNetwork, ({ values, at }) => values[at + COUNT] === 0)
  }

  /** Counts a connection; answers what to call when it closes, or undefined where it is one too many. */
  enter(address: string): (() => void) | undefined {
    const { openConnections, addressConnections, isShared, warn } = this.options
    if (!this.open.addUpTo(openConnections, 1)) {
      warn(`connections are dropped: ${openConnections} are open, as many as are allowed${this.reason()}`)
      return undefined
    }
    if (isShared(address)) return () => this.open.add(-1)
    const network = networkOf(address)
    if (!this.byNetwork.use(network, (record) => countUpTo(addressConnections, record))) {
      this.open.add(-1)
      warn(`connections are dropped: ${network} has ${addressConnections}, as many as one address may have`)
      return undefined
    }
    return () => this.leave(network)
  }

  private reason(): string {
    const { openFiles } = this.options
    return openFiles === undefined ? '' : ` where the process may open ${openFiles} files; raise ulimit -n`
  }

  private leave(network: string): void {
    this.open.add(-1)
    this.byNetwork.use(network, (record) => {
      if (record !== undefined) record.values[record.at + COUNT]! -= 1
    })
  }
}

/** Without room for its network a connection is one too many, as if the network had had its share. */
function countUpTo(most: number, record: SharedRecord | undefined): boolean {
  if (record === undefined || record.values[record.at + COUNT]! >= most) return false
  record.values[record.at + COUNT]! += 1
  return true
}
