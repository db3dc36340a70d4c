import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Address, isInside, type Network, parseAddress, parseNetwork } from '../../domain/network.ts'
import type { ClientFacts } from '../../operations/create-admission.ts'

/** Proxies that one request is followed through; beyond, the list is somebody's invention. */
const HOPS = 32

const PORT = /^(.*[.\]]\d*):\d{1,5}$/
/** No address with brackets and a port is longer. */
const NODE_CHARACTERS = 64
/** One pair of an element of RFC 7239 without what would let it reach over a comma. */
const PAIR = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"([^",;\\]*)"|([^\s",;]*))$/

/** Says who sent a request; what that costs is paid when a fact is asked for. */
export type ClientOf = (request: IncomingMessage) => ClientFacts

interface Peer {
  readonly address: Address
  readonly text: string
  readonly isTrusted: boolean
}

interface ProxyTrust {
  readonly trusted: readonly Network[]
  readonly peers: WeakMap<Socket, Peer>
}

/**
 * Makes the one judge of who a client is. It is the machine at the other end of the connection; only where that is a
 * trusted proxy, it is the machine that the proxy says it is forwarding for.
 */
export function createClientOf(trustProxy: readonly string[]): ClientOf {
  const trusted = trustProxy.map(parseNetwork).filter((network) => network !== undefined)
  const trust = { trusted, peers: new WeakMap<Socket, Peer>() }
  return (request) => new RequestClient(request, trust)
}

class RequestClient implements ClientFacts {
  private readonly request: IncomingMessage
  private readonly trust: ProxyTrust

  constructor(request: IncomingMessage, trust: ProxyTrust) {
    this.request = request
    this.trust = trust
  }

  /** In canonical form, mapped IPv4 as IPv4; empty where nobody knows, which no rule lets in. */
  get address(): string {
    const { socket, headers } = this.request
    const peer = peerOf(socket, this.trust)
    if (peer === undefined) return ''
    return peer.isTrusted ? forwardedAddress(peer, headers, this.trust.trusted) : peer.text
  }

  get origin(): string | undefined {
    return this.request.headers.origin
  }

  get referer(): string | undefined {
    return this.request.headers.referer
  }
}

/** Of the machine at the other end, in canonical form; empty where it has gone. */
export function addressOf({ remoteAddress }: Socket): string {
  return parseAddress(remoteAddress ?? '')?.toString() ?? ''
}

function peerOf(socket: Socket, { trusted, peers }: ProxyTrust): Peer | undefined {
  const known = peers.get(socket)
  if (known !== undefined) return known
  const address = parseAddress(socket.remoteAddress ?? '')
  if (address === undefined) return undefined
  const peer = { address, text: address.toString(), isTrusted: isInside(address, trusted) }
  peers.set(socket, peer)
  return peer
}

/**
 * A proxy writes one of the two headers and hands the other on as its client sent it. Which one it writes is not known
 * here, so that two that disagree say nothing.
 */
function forwardedAddress(
  { address }: Peer,
  headers: IncomingMessage['headers'],
  trusted: readonly Network[],
): string {
  const { 'x-forwarded-for': list, forwarded } = headers
  const texts = new Set<string>()
  // Node joins repeated headers of these names in their order.
  if (list !== undefined) texts.add(walk(String(list), { address, trusted, read: nodeOf }).toString())
  if (forwarded !== undefined) texts.add(walk(forwarded, { address, trusted, read: forOf }).toString())
  if (texts.size > 1) return ''
  const [text = address.toString()] = texts
  return text
}

interface WalkOptions {
  /** Of the proxy that the walk begins at. */
  readonly address: Address
  readonly trusted: readonly Network[]
  readonly read: (element: string) => Address | undefined
}

/**
 * Goes through what proxies appended, from the nearest to the first that is not trusted: what that one says about
 * those before it is only said. Something that is no address ends the walk at the one that wrote it.
 */
function walk(list: string, { address, trusted, read }: WalkOptions): Address {
  let current = address
  let end = list.length
  for (let hop = 0; hop < HOPS && end >= 0; hop += 1) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1)
    const next = read(list.slice(comma + 1, end).trim())
    if (next === undefined) return current
    current = next
    if (!isInside(current, trusted)) return current
    end = comma
  }
  return current
}

/** The address in a node as proxies write them: with or without a port, IPv6 with or without brackets. */
function nodeOf(text: string): Address | undefined {
  if (text.length > NODE_CHARACTERS) return undefined
  const host = PORT.exec(text)?.[1] ?? text
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  return bare === host || bare.includes(':') ? parseAddress(bare) : undefined
}

/** The address in the `for` of an element, as long as it has just one (RFC 7239, section 4). */
function forOf(element: string): Address | undefined {
  const nodes: string[] = []
  for (const text of element.split(';')) {
    const pair = PAIR.exec(text.trim())
    if (pair === null) return undefined
    if (pair[1]!.toLowerCase() === 'for') nodes.push(pair[2] ?? pair[3]!)
  }
  return nodes.length === 1 ? nodeOf(nodes[0]!) : undefined
}
