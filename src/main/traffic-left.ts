import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { REGISTERS } from '../analytics/distinct-addresses.ts'
import type { TrafficDelta } from '../analytics/traffic-delta.ts'
import { writeFileAtomically } from '../certificates/write-file-atomically.ts'

/** Of the content; another one is read as nothing. */
const VERSION = 2
const MOST_BYTES = 64 * 1024 * 1024

interface Content {
  readonly version: number
  readonly id: string
  readonly delta: Omit<TrafficDelta, 'addresses'> & {
    readonly addresses: readonly { readonly app: string; readonly day: number; readonly registers: string }[]
  }
}

/** What was counted and not stored when the server stopped, in `<data>/traffic-left`, for the next start. */
export class TrafficLeft {
  private readonly path: string
  private readonly mostBytes: number

  constructor({
    dataDir,
    mostBytes = MOST_BYTES,
  }: { readonly dataDir: string; readonly mostBytes?: number }) {
    this.mostBytes = mostBytes
    this.path = join(dataDir, 'traffic-left')
  }

  /** Undefined where there is none, or none that can be read. The id is of what was saved at once. */
  load(): { readonly id: string; readonly delta: TrafficDelta } | undefined {
    if (!existsSync(this.path)) return undefined
    try {
      const { version, id, delta } = JSON.parse(readFileSync(this.path, 'utf8')) as Content
      if (version !== VERSION) return undefined
      const addresses = delta.addresses.map(({ registers, ...rest }) => {
        const bytes = Uint8Array.from(Buffer.from(registers, 'base64'))
        return { ...rest, registers: bytes.length === REGISTERS ? bytes : new Uint8Array(REGISTERS) }
      })
      return { id, delta: { ...delta, addresses } }
    } catch {
      return undefined
    }
  }

  /** @throws Error where it is too much, SystemError of Node.js */
  save(delta: TrafficDelta): void {
    const addresses = delta.addresses.map(({ registers, ...rest }) => ({
      ...rest,
      registers: Buffer.from(registers).toString('base64'),
    }))
    const content: Content = { version: VERSION, id: randomUUID(), delta: { ...delta, addresses } }
    const text = JSON.stringify(content)
    if (text.length > this.mostBytes)
      throw new Error(`its ${text.length} bytes are more than the ${this.mostBytes} that are kept`)
    writeFileAtomically(this.path, text)
  }

  /** It was stored. */
  remove(): void {
    rmSync(this.path, { force: true })
  }
}
