/**
 * As much of ASN.1's distinguished encoding (X.690) as a certificate needs. Writing only: nothing here reads what
 * somebody else has written.
 */

export function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, ...parts)
}

export function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, ...parts)
}

/** A context-specific element: constructed where it wraps others, primitive where it holds bytes. */
export function tagged(number: number, kind: 'constructed' | 'primitive', content: Buffer): Buffer {
  return element((kind === 'constructed' ? 0xa0 : 0x80) | number, content)
}

/** A positive integer from its big-endian bytes. */
export function positiveInteger(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return element(0x02, Buffer.from([...sign, ...digits]))
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]))
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return element(0x03, Buffer.from([unusedBits]), bytes)
}

export function octetString(bytes: Uint8Array): Buffer {
  return element(0x04, bytes)
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text))
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A time to the second: UTCTime until 2049 and GeneralizedTime from then on, as RFC 5280 wants it (4.1.2.5). */
export function time(milliseconds: number): Buffer {
  const date = new Date(milliseconds)
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '')
  const isShort = date.getUTCFullYear() < 2050
  return element(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits))
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f]
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content])
}

function length(bytes: number): number[] {
  if (bytes < 0x80) return [bytes]
  const digits: number[] = []
  for (let rest = bytes; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff)
  return [0x80 | digits.length, ...digits]
}
