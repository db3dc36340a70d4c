import { editDistance } from '../query/edit-distance.ts'

const FARTHEST = 2
const LONGEST = 40

/** The name that was probably meant by another: at most two characters differ, in whatever letter case. */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  if (text.length > LONGEST) return undefined
  let best: string | undefined
  let least = FARTHEST + 1
  for (const name of names) {
    const distance = editDistance(text.toLowerCase(), name.toLowerCase())
    if (distance >= least) continue
    best = name
    least = distance
  }
  return best
}
