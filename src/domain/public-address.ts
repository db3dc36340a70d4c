import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Of the special-purpose registries of IANA, what is not reachable from everywhere, and multicast (RFC 6890). */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Of the one block that is given out: what leads to IPv4 by a tunnel, or nowhere. */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

/** Whether an address is one of the public internet, and none of this machine, its network or a test. */
export function isPublicAddress(address: string): boolean {
  const special = new BlockList()
  for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6')
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  if (!isIPv6(address)) return false
  const given = new BlockList()
  given.addSubnet('2000::', 3, 'ipv6')
  return given.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
