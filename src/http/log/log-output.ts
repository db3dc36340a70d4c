/** Lines of requests are written together; those of a fault are written at once. */
const BUFFERED_LENGTH = 4096
const FLUSH_MS = 500
/** What waits for a reader that doesn't read, or a disk that is full; lines beyond are dropped. */
const WAITING_LENGTH = 4 * 1024 * 1024
/** Between two tries to write to what can't be written to. */
const RETRY_MS = 200
/** How long a process that ends waits for what reads its log. */
const CLOSE_MS = 1000

/** Where bytes of the log go. Neither way of writing ever waits on the thread that asks. */
export interface LogSink {
  /** Calls back with how many of the bytes were written, or with why none was. */
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void
  /** Writes what can be written at once, and tells nobody of the rest: the process is about to end. */
  writeNow(bytes: Uint8Array): void
}

/**
 * Lines on their way to a sink that may be slow, full or gone. Service goes before the log: what the sink doesn't take
 * waits here, up to a bound, and lines beyond that are counted, which is said as soon as something can be written again.
 */
export class LogOutput {
  private readonly sink: LogSink
  private readonly waitingLength: number
  private readonly timer: NodeJS.Timeout
  private waiting = ''
  /** What the sink has been given and has not taken yet. */
  private underWay: Uint8Array | undefined
  private lost = 0
  private hasFailed = false
  private readonly onIdle: (() => void)[] = []

  constructor(sink: LogSink, { waitingLength = WAITING_LENGTH } = {}) {
    this.sink = sink
    this.waitingLength = waitingLength
    this.timer = setInterval(() => this.flush(), FLUSH_MS).unref()
  }

  /** @param lines whole ones */
  write(lines: string): void {
    const held = this.waiting.length + (this.underWay?.length ?? 0)
    if (held + lines.length > this.waitingLength) this.lost += linesIn(lines)
    else this.waiting += lines
    if (this.waiting.length >= BUFFERED_LENGTH) this.flush()
  }

  /** Begins to write what waits, unless something is on its way already. */
  flush(): void {
    if (this.underWay !== undefined || this.waiting === '') return
    this.underWay = Buffer.from(this.waiting)
    this.waiting = ''
    this.writeOn()
  }

  /** Resolves when all is written, or can't be written, or takes too long. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    this.flush()
    if (this.underWay === undefined || this.hasFailed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_MS)
      this.onIdle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Writes what can be written at once, for a process that ends without waiting for anything. */
  end(): void {
    clearInterval(this.timer)
    if (this.waiting !== '') this.sink.writeNow(Buffer.from(this.waiting))
    this.waiting = ''
  }

  private writeOn(): void {
    this.sink.write(this.underWay!, (error, written) => {
      this.hasFailed = error !== null
      if (error !== null) {
        this.tellIdle()
        setTimeout(() => this.writeOn(), RETRY_MS).unref()
        return
      }
      const rest = this.underWay!.subarray(written)
      this.underWay = rest.length === 0 ? undefined : rest
      if (this.underWay !== undefined) return this.writeOn()
      if (this.lost > 0) this.waiting += lossLine(this.lost)
      this.lost = 0
      if (this.waiting.length >= BUFFERED_LENGTH || this.onIdle.length > 0) this.flush()
      if (this.underWay === undefined) this.tellIdle()
    })
  }

  private tellIdle(): void {
    for (const tell of this.onIdle.splice(0)) tell()
  }
}

/** Said at every level: the lines that are missing were wanted. */
function lossLine(lost: number): string {
  const msg = `${lost} log ${lost === 1 ? 'line was' : 'lines were'} lost, for nothing could be written here for a while`
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`
}

function linesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
