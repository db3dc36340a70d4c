/** Mistakes up to which another name was probably meant. */
const FARTHEST = 2
const LONGEST = 40

/** The name that was probably meant by another: at most two characters differ, in whatever letter case. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
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

/** How many characters have to be put in, taken out or changed (Levenshtein's distance). */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const changed = row[j]! + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(changed, row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
