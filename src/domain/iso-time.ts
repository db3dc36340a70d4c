/** An instant as programs and people read it (ISO 8601, in UTC). @param milliseconds since the Unix epoch */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
