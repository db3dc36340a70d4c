/**
 * A pattern taken apart just so far that its cost can be estimated and its literals found; what it means is RE2's
 * business. `text` of a literal is the character it stands for.
 */
export type Token =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'start' | 'open' | 'close' | 'alternative' }
  /** `(?i)` and the like, for the rest of the group. A repetition after it is one of what stands before it. */
  | { readonly kind: 'flags' }
  /** Repeats the token or group before it; `times` is the count that it may be unrolled to. */
  | { readonly kind: 'repeat'; readonly times: number; readonly optional: boolean }
  /** Anything else, with what compiling it takes beside a literal's 1. */
  | { readonly kind: 'other'; readonly cost: number }

/** A class of Unicode's is a table of up to thousands of ranges. */
const UNICODE_CLASS_COST = 20
const REPEAT = /\{(\d+)(,?)(\d*)\}/y
/** How much of a class's text costs as much as one more character. */
const CLASS_LENGTH_PER_COST = 20
const ESCAPED_ITSELF = /^[\x01-/:-@[-`{-\x7f]$/
/** One escape, with all that belongs to it. */
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)?/suy
/** What an opening parenthesis says about its group; of flags without a group, the closing one too. */
const GROUP_HEAD = /(?:\?(?:P?<[^>]*>|[a-zA-Z-]*[:)]))?/y
const SIMPLE = new Map<string, Token>([
  ['^', { kind: 'start' }],
  [')', { kind: 'close' }],
  ['|', { kind: 'alternative' }],
  ['*', { kind: 'repeat', times: 1, optional: true }],
  ['?', { kind: 'repeat', times: 1, optional: true }],
  ['+', { kind: 'repeat', times: 1, optional: false }],
  ['.', { kind: 'other', cost: 1 }],
  ['$', { kind: 'other', cost: 1 }],
])

/** Takes any text apart, also one that is no pattern; only of a pattern that compiles are the tokens right. */
export function patternTokens(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let position = 0; position < pattern.length; ) {
    const start = position
    const character = String.fromCodePoint(pattern.codePointAt(position)!)
    position += character.length
    if (pattern.startsWith('\\Q', start)) {
      position = pushQuoted(pattern, start + 2, tokens)
    } else if (character === '\\') {
      const escaped = matchAt(ESCAPE, pattern, start)
      tokens.push(escapeToken(escaped))
      position = start + escaped.length
    } else if (character === '[') {
      position = classEnd(pattern, position)
      tokens.push({ kind: 'other', cost: classCost(pattern.slice(start, position)) })
    } else if (character === '(') {
      const head = matchAt(GROUP_HEAD, pattern, position)
      tokens.push({ kind: head.endsWith(')') ? 'flags' : 'open' })
      position += head.length
    } else if (character === '{') {
      const repeat = matchAt(REPEAT, pattern, start)
      tokens.push(repeat === '' ? { kind: 'literal', text: '{' } : countedRepeat(repeat))
      position = start + Math.max(1, repeat.length)
    } else tokens.push(SIMPLE.get(character) ?? { kind: 'literal', text: character })
  }
  return tokens
}

function matchAt(expression: RegExp, text: string, position: number): string {
  expression.lastIndex = position
  return expression.exec(text)?.[0] ?? ''
}

function pushQuoted(pattern: string, start: number, tokens: Token[]): number {
  const end = pattern.indexOf('\\E', start)
  const quoted = pattern.slice(start, end < 0 ? pattern.length : end)
  for (const text of quoted) tokens.push({ kind: 'literal', text })
  return end < 0 ? pattern.length : end + 2
}

function escapeToken(escaped: string): Token {
  const character = escaped.slice(1)
  if (ESCAPED_ITSELF.test(character)) return { kind: 'literal', text: character }
  return { kind: 'other', cost: /^[pP]/.test(character) ? UNICODE_CLASS_COST : 1 }
}

function countedRepeat(repeat: string): Token {
  const [, least = '', comma = '', most = ''] = /(\d+)(,?)(\d*)/.exec(repeat) ?? []
  const unbounded = comma !== '' && most === ''
  const times = unbounded ? Number(least) + 1 : Math.max(Number(least), Number(most))
  return { kind: 'repeat', times: Math.max(1, times), optional: true }
}

/** Where a class ends whose first character stands at `position`. A ] that comes first belongs to it. */
function classEnd(pattern: string, start: number): number {
  let position = start
  if (pattern[position] === '^') position++
  for (let first = true; position < pattern.length; first = false) {
    if (pattern[position] === ']' && !first) return position + 1
    const named = pattern.startsWith('[:', position) ? pattern.indexOf(':]', position + 2) : -1
    if (named >= 0) position = named + 2
    else if (pattern[position] === '\\') position += Math.max(1, matchAt(ESCAPE, pattern, position).length)
    else position++
  }
  return position
}

function classCost(text: string): number {
  const unicodeClasses = text.match(/\\[pP]/g)?.length ?? 0
  return 1 + Math.floor(text.length / CLASS_LENGTH_PER_COST) + UNICODE_CLASS_COST * unicodeClasses
}
