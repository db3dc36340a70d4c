import ipaddr from 'ipaddr.js'

/** An address of IPv4 or IPv6; an IPv4 address mapped into IPv6 is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An address and how many of its first bits name the network. */
export type Network = readonly [Address, number]

const MAPPED_BITS = 96
/** Longer than any address or network can be written, so that nothing huge is parsed. */
const CHARACTERS = 64
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/**
 * `::192.0.2.7`, which RFC 4291 (section 2.5.5.1) took out of use. It is not 192.0.2.7, but the library reads it as
 * that, and systems write the addresses of ::/96 in this form.
 */
const COMPATIBLE = /^::(?=\d+\.)/

/**
 * Reads an address as RFC 4291 and dotted decimals write it; a zone (`%eth0`) says nothing about who it is. Undefined
 * for everything else, the octal, hexadecimal and shortened forms of IPv4 included.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > CHARACTERS) return undefined
  if (IPV4.test(text)) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text.replace(COMPATIBLE, '0::'))
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  delete address.zoneId
  return address
}

/** Reads a network in CIDR form; an address alone is the network of that address. Undefined for everything else. */
export function parseNetwork(text: string): Network | undefined {
  const [written, length, ...others] = text.split('/')
  const address = parseAddress(written!)
  if (address === undefined || others.length > 0 || written!.includes('%')) return undefined
  const isMapped = address.kind() === 'ipv4' && written!.includes(':')
  const least = isMapped ? MAPPED_BITS : 0
  const most = written!.includes(':') ? 128 : 32
  if (length === undefined) return [address, most - least]
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return bits >= least && bits <= most ? [address, bits - least] : undefined
}

/**
 * What keeps a text from being a network for people to write down, and how to mend it; undefined for a good one. An
 * address inside a network is refused: of `10.1.2.3/8` nobody knows which was meant.
 */
export function networkProblem(text: string): string | undefined {
  const network = parseNetwork(text)
  if (network === undefined) return notationProblem(text)
  const [address, bits] = network
  const written = `${address}/${bits}`
  const whole = String(
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(written)
      : ipaddr.IPv6.networkAddressFromCIDR(written),
  )
  if (String(address) === whole) return undefined
  return `it names an address inside a network; write ${whole}/${bits} for the network, or ${address}`
}

function notationProblem(text: string): string {
  if (text.includes(',')) return 'it may not contain commas; give each network an option of its own'
  if (text.includes('%')) return 'leave out the zone, from the % on'
  const [address, ...lengths] = text.split('/')
  const parsed = lengths.length === 0 ? undefined : parseAddress(address!)
  if (parsed === undefined)
    return 'write an address or a network of IPv4 or IPv6: 192.0.2.7, 192.0.2.0/24, 2001:db8::/32'
  if (!address!.includes(':')) return 'after the slash comes a number of bits, up to 32'
  return parsed.kind() === 'ipv4'
    ? `after the slash comes a number of bits from ${MAPPED_BITS} to 128, for it is an address of IPv4; or write ${parsed}/…`
    : 'after the slash comes a number of bits, up to 128'
}

/** Whether one of the networks has the address in it. */
export function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
  )
}

/**
 * The network by which clients are told apart: an address of IPv4, some bits of IPv6, or nothing for what is neither.
 * @param bits a multiple of 8
 */
export function networkOf(address: string, bits = 64): string {
  const parsed = parseAddress(address)
  if (parsed === undefined || parsed.kind() === 'ipv4') return parsed?.toString() ?? ''
  return `${parsed
    .toByteArray()
    .slice(0, bits / 8)
    .map((byte) => byte.toString(16))
    .join(':')}::/${bits}`
}

/** Whether the address of a connection, as Node writes it, lies in one of the networks. */
export function addressMatches(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && isInside(parsed, networks)
}
