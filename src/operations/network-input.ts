import ipaddr from 'ipaddr.js'
import { parseNetwork } from '../domain/network.ts'
import { AppError } from '../errors.ts'

/**
 * Reads a network of IPv4 or IPv6 in CIDR form, or one address, and answers its one form; mapped IPv4 becomes IPv4.
 * @throws AppError `invalid_rule`
 */
export function networkInput(text: string): string {
  const network = parseNetwork(text)
  if (network === undefined) throw invalid(text, networkProblem(text))
  const [address, bits] = network
  const written = `${address}/${bits}`
  const whole = String(
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(written)
      : ipaddr.IPv6.networkAddressFromCIDR(written),
  )
  if (String(address) === whole) return written
  throw invalid(
    text,
    `it names an address inside a network; write ${whole}/${bits} for the network, or ${address}`,
  )
}

function networkProblem(text: string): string {
  if (text === 'all') return 'leave the rule out to let every address in, or lift it'
  if (text.includes('%')) return 'leave out the zone, from the % on'
  const [address, ...lengths] = text.split('/')
  if (lengths.length > 0 && parseNetwork(address!) !== undefined)
    return `after the slash comes a number of bits, up to ${address!.includes(':') ? 128 : 32}`
  return 'write an address or a network of IPv4 or IPv6: 192.0.2.7, 192.0.2.0/24, 2001:db8::/32'
}

function invalid(text: string, problem: string): AppError {
  return new AppError(
    'invalid_rule',
    `${JSON.stringify(text.slice(0, 100))} can't be an address rule: ${problem}`,
  )
}
