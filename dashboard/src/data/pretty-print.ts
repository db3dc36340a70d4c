/** The tokens of a JSON text: texts, other scalars, punctuation. */
export const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** How many times as long a text may become by being indented: a hundred levels would make a mebibyte a hundred. */
const MOST_INDENTED = 8

/**
 * A JSON text with two spaces for each level, in which every token is as it was written. What would become far longer by
 * that is put on lines without them.
 */
export function prettyPrint(text: string): string {
  const limit = Math.max(1_000_000, text.length * MOST_INDENTED)
  return print(text, { step: 2, limit }) ?? print(text, { step: 0, limit: Number.POSITIVE_INFINITY })!
}

function print(text: string, { step, limit }: { readonly step: number; readonly limit: number }) {
  const breaks = ['\n']
  const lineBreak = (depth: number): string => {
    breaks[depth] ??= `\n${' '.repeat(depth * step)}`
    return breaks[depth]
  }
  let printed = ''
  let depth = 0
  let before = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']'
    const isEmpty = isEnd && (before === '{' || before === '[')
    if (isEnd) depth -= 1
    if (isEnd ? !isEmpty : before === '{' || before === '[' || before === ',') printed += lineBreak(depth)
    printed += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth += 1
    if (printed.length > limit) return undefined
    before = token
  }
  return printed
}
