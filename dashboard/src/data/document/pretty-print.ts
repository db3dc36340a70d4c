/** The tokens of a JSON text: texts, other scalars, punctuation. */
export const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** How many times as long a text may become by being indented: a hundred levels would make a mebibyte a hundred. */
const MOST_INDENTED = 8
const LEAST_LIMIT = 1_000_000

/**
 * A JSON text with two spaces for each level, in which every token is as it was written. What would become far longer by
 * that is put on lines without them.
 */
export function prettyPrint(text: string): string {
  const limit = Math.max(LEAST_LIMIT, text.length * MOST_INDENTED)
  return print(text, { step: 2, limit }) ?? print(text, { step: 0, limit: Number.POSITIVE_INFINITY })!
}

/** By character rather than by `TOKEN`, which takes three times as long: somebody waits for a mebibyte to open. */
function print(text: string, { step, limit }: { readonly step: number; readonly limit: number }) {
  const breaks: string[] = []
  const lineBreak = (depth: number): string => {
    breaks[depth] ??= `\n${' '.repeat(depth * step)}`
    return breaks[depth]
  }
  let printed = ''
  let depth = 0
  let position = 0
  while (position < text.length) {
    const from = position
    const character = text[position]!
    position += 1
    switch (character) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break
      case '"':
        position = endOfText(text, position)
        printed += text.slice(from, position)
        break
      case '{':
      case '[':
        position = skipSpace(text, position)
        if (text[position] === closing(character)) {
          position += 1
          printed += character + closing(character)
          break
        }
        depth += 1
        printed += character + lineBreak(depth)
        break
      case '}':
      case ']':
        depth -= 1
        printed += lineBreak(depth) + character
        break
      case ',':
        printed += `,${lineBreak(depth)}`
        break
      case ':':
        printed += ': '
        break
      default:
        printed += character
    }
    if (printed.length > limit) return undefined
  }
  return printed
}

function closing(opening: '{' | '['): string {
  return opening === '{' ? '}' : ']'
}

/** Behind the quote that ends a text, of which no end is escaped. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0
  while (text[position - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function skipSpace(text: string, from: number): number {
  let position = from
  while (/\s/.test(text[position] ?? '')) position += 1
  return position
}
