/**
 * Reads base64url (RFC 4648, section 5) in its one spelling: without padding, without other characters between, and with
 * the bits that the last character doesn't use at zero (section 3.5). Undefined for everything else, of which Node's own
 * reader makes the same bytes.
 */
export function fromBase64url(text: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
