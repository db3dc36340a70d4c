import type { Socket } from 'node:net'

/** Of TLS records (RFC 8446, section 5.1): the type of the first one, what stands before its bytes, the most of these. */
const HANDSHAKE = 22
const HEAD_BYTES = 5
const RECORD_BYTES = 16 * 1024

const NOTHING = Buffer.alloc(0)

/**
 * Tells, once, what a client that connected begins with, and leaves its bytes to be read: TLS when the first record is
 * there, or what is none and will fail, or plain HTTP. Until then a connection takes next to nothing, however many there
 * are and however their bytes trickle in; one that goes away without a word is closed.
 */
export function awaitHello(
  socket: Socket,
  { tls, plainHttp }: { readonly tls: () => void; readonly plainHttp: () => void },
): void {
  let hello: Buffer = NOTHING
  const onReadable = (): void => {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) {
      socket.destroy()
      return
    }
    hello = hello.length === 0 ? chunk : Buffer.concat([hello, chunk])
    const isPlain = isLetter(hello[0]!)
    if (!isPlain && !isWholeRecord(hello)) return
    socket.off('readable', onReadable)
    if (isPlain) {
      plainHttp()
    } else {
      socket.unshift(hello)
      tls()
    }
  }
  socket.on('readable', onReadable)
}

/** HTTP begins with a method's name. */
function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function isWholeRecord(bytes: Buffer): boolean {
  if (bytes[0] !== HANDSHAKE) return true
  if (bytes.length < HEAD_BYTES) return false
  const length = bytes.readUInt16BE(HEAD_BYTES - 2)
  return length > RECORD_BYTES || bytes.length >= HEAD_BYTES + length
}
