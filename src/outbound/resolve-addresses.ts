import { lookup, type Resolver } from 'node:dns/promises'

/**
 * The addresses that name servers know of a host, those of IPv4 first; none where they don't answer. The system's own look-up
 * (getaddrinfo) can't be given up: while a name server doesn't answer, a thread that has called it doesn't end.
 */
export async function resolveAddresses(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  host: string,
): Promise<readonly string[]> {
  const addresses = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ])
  return addresses.flat()
}

/** As above, but for hosts that are named when the server is started, of which /etc/hosts may know the address. */
export function createLookup(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  named: readonly string[],
): (host: string) => Promise<readonly string[]> {
  return async (host) => {
    if (!named.includes(host)) return await resolveAddresses(resolver, host)
    return (await lookup(host, { all: true })).map(({ address }) => address)
  }
}
