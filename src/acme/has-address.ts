import type { Resolver } from 'node:dns/promises'

/** Says that a name has no address in DNS. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Whether a name has an address in DNS; without one no authority finds the server there. Where DNS does not answer, it is
 * for the authority to look.
 */
export async function hasAddress(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  host: string,
): Promise<boolean> {
  const isNone = (error: { code?: string }): boolean => NONE.has(error.code ?? '')
  const missing = await Promise.all([
    resolver.resolve4(host).then(() => false, isNone),
    resolver.resolve6(host).then(() => false, isNone),
  ])
  return missing.includes(false)
}
