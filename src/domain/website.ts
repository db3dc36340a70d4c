type Scheme = 'http' | 'https'

/** Which web origins a pattern stands for; without scheme or port, both schemes and their default ports. */
export interface WebsitePattern {
  readonly scheme: Scheme | undefined
  readonly port: number | undefined
  readonly labels: readonly string[]
  /** Whether hosts below that name are meant, and not the name itself. */
  readonly below: boolean
}

/** The headers by which a browser says which page is asking. */
export interface PageHeaders {
  readonly origin?: string | undefined
  readonly referer?: string | undefined
}

interface WebOrigin {
  readonly scheme: Scheme
  readonly port: number
  readonly host: string
}

const DEFAULT_PORT: Readonly<Record<Scheme, number>> = { http: 80, https: 443 }
/** No character that an URL parser drops, decodes or takes for the end of a host. */
const HOST = String.raw`[^\s\p{Cc}/\\?#@:%*<>^|,;\[\]]+|\[[0-9a-f:.]+\]`
const PATTERN_FORM = new RegExp(String.raw`^(?:(https?)://)?(\*\.)?(${HOST})(?::(\d{1,5}))?$`, 'iu')
const ORIGIN_FORM = new RegExp(String.raw`^(https?)://(${HOST})(?::(\d{1,5}))?$`, 'iu')
const ORIGIN_OF_URL = /^https?:\/\/[^/?#]*/i
const IPV4_HOST = /^\d+\.\d+\.\d+\.\d+$/
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Reads `host`, `host:port`, `https://host`, `http://host:port`, each with or without `*.` before the host. */
export function parseWebsite(text: string): WebsitePattern | undefined {
  const [, scheme, wildcard, hostText, portText] = PATTERN_FORM.exec(text) ?? []
  const host = hostText === undefined ? undefined : canonicalHost(hostText)
  const port = portText === undefined ? undefined : Number(portText)
  const below = wildcard !== undefined
  if (host === undefined || (below && isAddress(host)) || (port !== undefined && !isPort(port)))
    return undefined
  return { scheme: scheme?.toLowerCase() as Scheme | undefined, port, labels: host.split('.'), below }
}

/**
 * Whether the page that asks is one of those named. The `Origin` decides (RFC 6454), and only where there is none the
 * origin of the `Referer`; a request that names no page matches nothing, and neither does `null`.
 */
export function websiteMatches(
  patterns: readonly WebsitePattern[],
  { origin, referer }: PageHeaders,
  localhost: boolean,
): boolean {
  const page = parseOrigin(origin ?? ORIGIN_OF_URL.exec(referer ?? '')?.[0])
  if (page === undefined) return false
  if (localhost && LOCAL_HOSTS.has(page.host)) return true
  const labels = page.host.split('.')
  return patterns.some((pattern) => isSamePlace(pattern, page) && isNamed(pattern, labels))
}

function isSamePlace(pattern: WebsitePattern, { scheme, port }: WebOrigin): boolean {
  if (pattern.scheme !== undefined && pattern.scheme !== scheme) return false
  return port === (pattern.port ?? DEFAULT_PORT[scheme])
}

/** Compared label by label from the right, so that `evil-example.com` is never taken for `example.com`. */
function isNamed(pattern: WebsitePattern, labels: readonly string[]): boolean {
  const more = labels.length - pattern.labels.length
  if (pattern.below ? more < 1 : more !== 0) return false
  return pattern.labels.every((label, index) => label === labels[index + more])
}

function parseOrigin(text: string | undefined): WebOrigin | undefined {
  const [, schemeText, hostText, portText] = ORIGIN_FORM.exec(text ?? '') ?? []
  if (schemeText === undefined || hostText === undefined) return undefined
  const scheme = schemeText.toLowerCase() as Scheme
  const host = canonicalHost(hostText)
  const port = portText === undefined ? DEFAULT_PORT[scheme] : Number(portText)
  return host === undefined || !isPort(port) ? undefined : { scheme, host, port }
}

/** In lower case and punycode, as browsers write hosts; a dot that ends a full name is the same host without it. */
function canonicalHost(text: string): string | undefined {
  const host = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '')
  return host === undefined || host.split('.').includes('') ? undefined : host
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || IPV4_HOST.test(host)
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535
}
