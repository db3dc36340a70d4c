import { cpSync } from 'node:fs'
import type { Kit } from './kit.ts'
import type { Options } from './options.ts'
import { fill, type SheafData, startSheaf } from './sheaf.ts'

const BYTES = 500
const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const

/** One collection of the data that rows share. */
export interface PreparedCollection {
  readonly name: string
  readonly documents: number
}

export interface PreparedData extends SheafData {
  /** From the smallest to the largest. */
  readonly collections: readonly PreparedCollection[]
}

/** A data folder with 1,000 to 1,000,000 documents of 500 bytes, filled once in a run and only where a row wants it. */
export class Prepared {
  private readonly kit: Kit
  private readonly scale: number
  private readonly log: (line: string) => void
  private data: Promise<PreparedData> | undefined

  constructor(kit: Kit, { scale }: Options, log: (line: string) => void) {
    this.kit = kit
    this.scale = scale
    this.log = log
  }

  /** For a server that only reads; no other may run on it. */
  get(): Promise<PreparedData> {
    this.data ??= this.fill()
    return this.data
  }

  /** For a server that writes. */
  async copy(): Promise<PreparedData> {
    const data = await this.get()
    const dataDir = this.kit.path('copy')
    cpSync(data.dataDir, dataDir, { recursive: true })
    return { ...data, dataDir }
  }

  private async fill(): Promise<PreparedData> {
    const server = await startSheaf(this.kit)
    this.kit.keep(server.dataDir)
    const began = performance.now()
    const collections = SIZES.map((size) => {
      const documents = Math.ceil(size * this.scale)
      return { name: `people-${size}`, documents }
    })
    for (const { name, documents } of collections)
      await fill(server, name, { documents, bytes: BYTES, knownIds: true })
    await server.stop()
    this.log(`  filled the shared data folder in ${Math.round((performance.now() - began) / 1000)} s`)
    const { dataDir, apiKey } = server
    return { dataDir, apiKey, collections }
  }
}
