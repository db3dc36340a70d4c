import { CONNECTION_BYTES } from '../../domain/memory.ts'
import { isInside, networkOf, parseAddress, parseNetwork } from '../../domain/network.ts'
import type { SharedCount } from '../../shared-memory/count.ts'
import type { MemoryBudget } from '../../shared-memory/memory-budget.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../../shared-memory/table.ts'

/** Connections of a network. */
const COUNT = 0
const FIELDS = 1

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export interface ConnectionLimitsOptions {
  readonly openConnections: number
  readonly addressConnections: number
  /** What made `openConnections` smaller than it is by itself, for the log. */
  readonly bound?: string | undefined
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
  readonly memory: MemoryBudget
}

/** Counts the connections that are open, overall and by network. */
export class ConnectionLimits {
  private readonly options: ConnectionLimitsOptions
  private readonly open: SharedCount
  private readonly byNetwork: SharedTable
  private readonly memory: MemoryBudget

  constructor(options: ConnectionLimitsOptions, { open, byNetwork, memory }: ConnectionCounts) {
    this.memory = memory
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
    if (!this.memory.take(CONNECTION_BYTES)) {
      this.open.add(-1)
      warn('connections are dropped: there is no memory for more beside what clients have under way')
      return undefined
    }
    if (isShared(address)) return () => this.leaveAll()
    const network = networkOf(address)
    if (!this.byNetwork.use(network, (record) => countUpTo(addressConnections, record))) {
      this.leaveAll()
      warn(`connections are dropped: ${network} has ${addressConnections}, as many as one address may have`)
      return undefined
    }
    return () => this.leave(network)
  }

  private reason(): string {
    const { bound } = this.options
    return bound === undefined ? '' : ` where ${bound}`
  }

  private leaveAll(): void {
    this.open.add(-1)
    this.memory.give(CONNECTION_BYTES)
  }

  private leave(network: string): void {
    this.leaveAll()
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
