/** How a read was done, as the header `Server-Timing` tells it. */
export interface ReadPlan {
  readonly kind: 'id' | 'count' | 'scan' | 'memory' | 'index'
  /** The name of the index. */
  readonly index: string
  readonly milliseconds: number
}

const STORE = /\bstore;dur=([\d.]+);desc="([^"]*)"/

/** Undefined where the header says nothing of the store. */
export function parsePlan(header: string): ReadPlan | undefined {
  const [, milliseconds, desc = ''] = STORE.exec(header) ?? []
  if (milliseconds === undefined) return undefined
  const [kind, index = ''] = /^index:(.*)$/s.test(desc)
    ? ['index' as const, desc.slice('index:'.length)]
    : [desc]
  return {
    kind: kind as ReadPlan['kind'],
    index: decodeURIComponent(index),
    milliseconds: Number(milliseconds),
  }
}
