/** What was loaded, and the bytes of memory that it takes. */
export interface Loaded<Value> {
  readonly value: Value
  readonly bytes: number
}

/**
 * What was loaded once is there at once, as long as it is among what was used last and all of that fits. What is asked
 * for while it is loaded is loaded once. The newest is kept however large it is: it would be loaded for each request.
 */
export class LoadingCache<Value> {
  private readonly mostBytes: number
  private readonly mostLoads: number
  private loads = 0
  private readonly waiting: (() => void)[] = []
  private readonly kept = new Map<string, Loaded<Value>>()
  private readonly loading = new Map<string, Promise<Value>>()
  private bytes = 0

  /** @param options with how much is loaded at once; the rest waits */
  constructor({ mostBytes, mostLoads }: { readonly mostBytes: number; readonly mostLoads: number }) {
    this.mostBytes = mostBytes
    this.mostLoads = mostLoads
  }

  get(key: string, load: () => Promise<Loaded<Value>>): Value | Promise<Value> {
    const kept = this.kept.get(key)
    if (kept === undefined) return this.loading.get(key) ?? this.load(key, load)
    this.kept.delete(key)
    this.kept.set(key, kept)
    return kept.value
  }

  private load(key: string, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const loading = this.inTurn(load)
      .then((loaded) => this.keep(key, loaded))
      .finally(() => this.loading.delete(key))
    this.loading.set(key, loading)
    return loading
  }

  private async inTurn(load: () => Promise<Loaded<Value>>): Promise<Loaded<Value>> {
    if (this.loads < this.mostLoads) this.loads++
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await load()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.loads--
      else next()
    }
  }

  private keep(key: string, loaded: Loaded<Value>): Value {
    this.kept.set(key, loaded)
    this.bytes += loaded.bytes
    for (const [oldest, { bytes }] of this.kept) {
      if (this.bytes <= this.mostBytes || oldest === key) break
      this.kept.delete(oldest)
      this.bytes -= bytes
    }
    return loaded.value
  }
}
