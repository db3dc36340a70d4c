import type { Socket } from 'node:net'

/** Bytes of a body after which others have their turn: by itself a socket is read for up to 2 MiB in one go. */
const QUANTUM_BYTES = 256 * 1024
/** What a chunk costs beside its bytes, as so many more of them; a chunk may be one byte long. */
const CHUNK_BYTES = 512

/** Reads no more from a connection for the rest of a turn of the event loop that has had enough of a body. */
export class ReadQuantum {
  private readonly socket: Socket
  private bytes = 0
  private isOver = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Notes a chunk of the body. */
  note(bytes: number): void {
    this.bytes += bytes + CHUNK_BYTES
    if (this.bytes < QUANTUM_BYTES || this.isOver) return
    this.isOver = true
    const { socket } = this
    // Node resumes a connection for reasons of its own, a tick after it decides to.
    const pause = (): void => {
      socket.pause()
    }
    socket.on('resume', pause)
    socket.pause()
    setImmediate(() => {
      this.bytes = 0
      this.isOver = false
      socket.off('resume', pause)
      socket.resume()
    })
  }
}
