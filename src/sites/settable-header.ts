/** What a browser understands of a page or a file, and nobody on the way to it. */
const SETTABLE: ReadonlySet<string> = new Set([
  'accept-ch',
  'cache-control',
  'content-disposition',
  'content-language',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'critical-ch',
  'document-policy',
  'link',
  'nel',
  'no-vary-search',
  'origin-agent-cluster',
  'permissions-policy',
  'permissions-policy-report-only',
  'referrer-policy',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'sourcemap',
  'speculation-rules',
  'supports-loading-mode',
  'timing-allow-origin',
])
const SETTABLE_BEGINNINGS = ['access-control-', 'cross-origin-', 'x-']
/**
 * What proxies take as orders of their server, such as to send a file of theirs instead (nginx, Apache, lighttpd, LiteSpeed,
 * Perlbal), what tells of a client or a request on its way, and what is the server's own.
 */
const REFUSED_BEGINNINGS = [
  'x-accel',
  'x-sendfile',
  'x-send-file',
  'x-lighttpd',
  'x-litespeed',
  'x-reproxy',
  'x-internal',
  'x-cache',
  'x-varnish',
  'x-proxy',
  'x-forwarded',
  'x-original',
  'x-rewrite',
  'x-real',
  'x-http',
  'x-content-type-options',
  'x-request-id',
]

/** Whether a site may set a header of its files. What is not known to concern browsers alone it may not. @param name in lower case */
export function isSettableHeader(name: string): boolean {
  if (SETTABLE.has(name)) return true
  const begins = (beginning: string): boolean => name.startsWith(beginning)
  return SETTABLE_BEGINNINGS.some(begins) && !REFUSED_BEGINNINGS.some(begins)
}
