import type { SiteFile } from './manifest.ts'

const HASH_BYTES = 32
/** Of a file, and of its forms in brotli and gzip. */
const LENGTHS = 3
/** By which what they are in grows. */
const GROWTH = 1.5
/** What one file takes at most beside its path: the head of a text and where it is, a hash, lengths. */
const FILE_BYTES = 36 + GROWTH * (HASH_BYTES + LENGTHS * Float64Array.BYTES_PER_ELEMENT)

/**
 * The files of a version by their paths, composed. There is no object for each: a version has tens of thousands, of which
 * few are asked for. All are added before the first is looked up.
 */
export class FileList {
  /** What it takes in memory, by estimate. */
  bytes = 0
  private readonly paths: string[] = []
  /** Which paths come in turn, in the order of `<`; undefined where they came in it. */
  private order: Uint32Array | undefined
  private isSorted = true
  private hashes = Buffer.alloc(0)
  /** 0 for a form that there is none in. */
  private lengths = new Float64Array(0)

  /** @param path in whatever form of Unicode */
  add(path: string, { hash, bytes, encoded }: SiteFile): void {
    const composed = path.normalize()
    const at = this.paths.push(composed) - 1
    if (at > 0 && composed < this.paths[at - 1]!) this.isSorted = false
    if (this.hashes.length < (at + 1) * HASH_BYTES) this.grow()
    this.hashes.write(hash, at * HASH_BYTES, 'hex')
    this.lengths.set([bytes, encoded.br ?? 0, encoded.gzip ?? 0], at * LENGTHS)
    this.bytes += FILE_BYTES + Buffer.byteLength(composed)
  }

  /** @param path composed */
  get(path: string): SiteFile | undefined {
    this.order ??= this.isSorted ? undefined : sortedOrder(this.paths)
    let low = 0
    let high = this.paths.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.pathAt(middle) < path) low = middle + 1
      else high = middle
    }
    return low < this.paths.length && this.pathAt(low) === path
      ? this.fileAt(this.order?.[low] ?? low)
      : undefined
  }

  private pathAt(place: number): string {
    return this.paths[this.order?.[place] ?? place]!
  }

  private fileAt(at: number): SiteFile {
    const hash = this.hashes.toString('hex', at * HASH_BYTES, (at + 1) * HASH_BYTES)
    const [bytes = 0, br = 0, gzip = 0] = this.lengths.subarray(at * LENGTHS, (at + 1) * LENGTHS)
    return { hash, bytes, encoded: { ...(br > 0 && { br }), ...(gzip > 0 && { gzip }) } }
  }

  private grow(): void {
    const files = Math.ceil((this.paths.length + 10) * GROWTH)
    const { hashes, lengths } = this
    this.hashes = Buffer.alloc(files * HASH_BYTES)
    this.hashes.set(hashes)
    this.lengths = new Float64Array(files * LENGTHS)
    this.lengths.set(lengths)
  }
}

function sortedOrder(paths: readonly string[]): Uint32Array {
  return Uint32Array.from(paths.keys()).sort((a, b) => (paths[a]! < paths[b]! ? -1 : 1))
}
