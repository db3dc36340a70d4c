import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isInside, parseAddress, parseNetwork } from '../../domain/network.ts'

/** Whether a request may read the metrics. */
export type MayReadMetrics = (request: IncomingMessage) => boolean

export interface MetricsAccessOptions {
  /** Networks in CIDR form, whose machines speak for others. */
  readonly trustProxy: readonly string[]
  /** SHA-256 of the token that opens the metrics from anywhere; without it there is none. */
  readonly metricsTokenHash: Uint8Array | undefined
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'].map((text) => parseNetwork(text)!)
/** By the names that mean this machine, with or without a port. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
/** What proxies say of whom they speak for, beside all that begins with `X-Forwarded-`. */
const FORWARDING: ReadonlySet<string> = new Set(['forwarded', 'via', 'x-real-ip'])
const BEARER = /^Bearer +(\S+)$/i

/**
 * Lets in who has the token, and who asks on this machine for this machine itself: from a loopback address, by a loopback
 * name, and without a word of a proxy, for behind one everybody comes from there.
 */
export function createMetricsAccess({ trustProxy, metricsTokenHash }: MetricsAccessOptions): MayReadMetrics {
  const trusted = trustProxy.map(parseNetwork).filter((network) => network !== undefined)
  const isNear = ({ socket, headers, url }: IncomingMessage): boolean => {
    // A target in absolute form is for a proxy.
    if (!url!.startsWith('/') || !LOOPBACK_HOST.test(headers.host ?? '')) return false
    const address = parseAddress(socket.remoteAddress ?? '')
    if (address === undefined || !isInside(address, LOOPBACK) || isInside(address, trusted)) return false
    return !isForwarded(headers)
  }
  return (request) => hasToken(request, metricsTokenHash) || isNear(request)
}

/** Hashes are compared, so that neither time nor length says anything of the token. */
function hasToken({ headers }: IncomingMessage, tokenHash: Uint8Array | undefined): boolean {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? []
  if (token === undefined || tokenHash === undefined) return false
  return timingSafeEqual(createHash('sha256').update(token).digest(), tokenHash)
}

function isForwarded(headers: IncomingMessage['headers']): boolean {
  return Object.keys(headers).some((name) => name.startsWith('x-forwarded') || FORWARDING.has(name))
}
