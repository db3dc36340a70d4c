import { AppError } from '../errors.ts'
import { networkProblem, parseNetwork } from './network.ts'

/**
 * Reads a network of IPv4 or IPv6 in CIDR form, or one address, and answers its one form; mapped IPv4 becomes IPv4.
 * @throws AppError `invalid_rule`
 */
export function networkInput(text: string): string {
  const problem =
    text === 'all' ? 'leave the rule out to let every address in, or lift it' : networkProblem(text)
  if (problem !== undefined)
    throw new AppError(
      'invalid_rule',
      `${JSON.stringify(text.slice(0, 100))} can't be an address rule: ${problem}`,
    )
  const [address, bits] = parseNetwork(text)!
  return `${address}/${bits}`
}
