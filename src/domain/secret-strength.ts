/** Fewer bits than these may be guessed, by whoever has the hash. */
export const SAFE_BITS = 128

/** Kinds of characters, and how many there are of each; the first that has all of a text's is what it was drawn from. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^\d*$/, 10],
  [/^(?:[0-9a-f]*|[0-9A-F]*)$/, 16],
  [/^(?:[a-z]*|[A-Z]*)$/, 26],
  [/^(?:[0-9a-z]*|[0-9A-Z]*)$/, 36],
  [/^[A-Za-z]*$/, 52],
  [/^[0-9A-Za-z]*$/, 62],
]
const ALL = 64
/** A random text of the shortest length has more different characters than these, whatever its alphabet. */
const FEW_CHARACTERS = 5

/**
 * About how many bits a secret has at most, had each of its characters been drawn by chance from as few as it shows.
 * Separators are none of them: a UUID has those of its hexadecimal digits.
 */
export function secretBits(secret: string): number {
  const drawn = secret.replaceAll(/[_-]/g, '')
  const alphabet = ALPHABETS.find(([form]) => form.test(drawn))?.[1] ?? ALL
  const different = new Set(drawn).size
  return Math.floor(drawn.length * Math.log2(different <= FEW_CHARACTERS ? Math.max(1, different) : alphabet))
}
