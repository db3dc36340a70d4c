/*
 * What every answer under `/_` carries, names and values in turn. No page of another origin may read it, frame it or keep
 * a hold of its window, and a page of the dashboard loads and does nothing that didn't come with it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const DASHBOARD_HEADERS: readonly string[] = Object.freeze([
  'Content-Security-Policy',
  POLICY,
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Referrer-Policy',
  'no-referrer',
])
