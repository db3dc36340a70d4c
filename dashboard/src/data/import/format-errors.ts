import type { LineError } from './import-api.ts'

/** As CSV (RFC 4180). */
export function formatErrors(errors: readonly LineError[]): string {
  const rows = errors.map(({ line, message }) => `${line},"${message.replaceAll('"', '""')}"`)
  return `${['line,message', ...rows].join('\r\n')}\r\n`
}
