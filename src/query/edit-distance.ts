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
