/**
 * What a terminal obeys instead of showing it: control characters, such as those that begin escape sequences, and those
 * that change the direction of text (Unicode's Bidi_Control), by which a name could pass for another. Line ends are left.
 */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** The text with these as JSON writes them (`\u202e`), inside of which it stays the same value. */
export function terminalSafe(text: string): string {
  return text.replace(OBEYED, (character) => (character === '\n' ? character : escaped(character)))
}

/** The same for what stands in one line. */
export function lineSafe(text: string): string {
  return text.replace(OBEYED, escaped)
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
