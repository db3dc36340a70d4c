import { RE2JS, RE2JSSyntaxException } from 're2js'
import { AppError } from '../errors.ts'
import { patternTokens, type Token } from './pattern-tokens.ts'

/** A compiled pattern. It keeps no state between texts. */
export interface Pattern {
  /** What compiling it takes, on the scale of `MAX_PATTERN_COST`; 0 where no engine is needed. */
  readonly cost: number
  /** Whether some part of the text matches. */
  readonly test: (text: string) => boolean
}

/** What a text has to hold so that a pattern can match it; where `exact`, that is all it has to. */
export interface LiteralParts {
  readonly kind: 'contains' | 'prefix'
  readonly literal: string
  readonly exact: boolean
}

/**
 * Bounds the program that patterns compile to, and with it time and memory: about one for each character, class and
 * parenthesis, times the repetitions around it.
 */
export const MAX_PATTERN_COST = 10_000
/** Every program also brings its own tables, whatever its size. */
const PROGRAM_COST = 100
/** Bounds the time that taking a pattern apart can take. */
const MAX_PATTERN_LENGTH = 5_000
const SHOWN_CHARACTERS = 60

/**
 * Compiles a pattern in RE2's syntax (https://github.com/google/re2/wiki/Syntax): unanchored, case-sensitive, in
 * time linear in the text. Its cost is checked before anything is compiled.
 * @throws AppError `invalid_pattern`
 */
export function compilePattern(pattern: string): Pattern {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new AppError('invalid_pattern', `a pattern may have at most ${MAX_PATTERN_LENGTH} characters`)
  const tokens = patternTokens(pattern)
  const parts = literalOf(tokens)
  const holdsLiteral = parts === undefined ? undefined : literalTest(parts)
  if (parts?.exact && holdsLiteral !== undefined) return { cost: 0, test: holdsLiteral }
  const cost = PROGRAM_COST + programCost(tokens)
  if (cost > MAX_PATTERN_COST)
    throw new AppError(
      'invalid_pattern',
      `the pattern ${shown(pattern)} is too large; shorten it or repeat less`,
    )
  const program = compileProgram(pattern)
  if (holdsLiteral === undefined) return { cost, test: (text) => program.test(text) }
  return { cost, test: (text) => holdsLiteral(text) && program.test(text) }
}

/**
 * Compiles patterns, keeping the ones used last, so that a query that comes again finds them compiled.
 * @param size how many are kept; each can come to hold 8 MiB of tables
 */
export function patternCache(size: number): (pattern: string) => Pattern {
  const kept = new Map<string, Pattern>()
  return (source) => {
    const pattern = kept.get(source) ?? compilePattern(source)
    kept.delete(source)
    kept.set(source, pattern)
    if (kept.size > size) kept.delete(kept.keys().next().value!)
    return pattern
  }
}

/** Patterns that are known to compile: a query that is asked again and again is parsed on the thread that all wait for. */
const KNOWN_COSTS = 200
const costs = new Map<string, number>()

/**
 * What compiling a pattern takes.
 * @throws AppError `invalid_pattern`
 */
export function patternCost(pattern: string): number {
  const known = costs.get(pattern)
  if (known !== undefined) return known
  const { cost } = compilePattern(pattern)
  costs.set(pattern, cost)
  if (costs.size > KNOWN_COSTS) costs.delete(costs.keys().next().value!)
  return cost
}

/**
 * The literal that every match of a pattern holds or begins with, or undefined where there is none to be seen.
 * @param pattern one that compiles
 */
export function literalParts(pattern: string): LiteralParts | undefined {
  return literalOf(patternTokens(pattern))
}

function literalOf(tokens: readonly Token[]): LiteralParts | undefined {
  if (hasAlternatives(tokens)) return undefined
  const anchored = tokens[0]?.kind === 'start'
  const rest = anchored ? tokens.slice(1) : tokens
  const end = rest.findIndex((token) => token.kind !== 'literal')
  const exact = end < 0
  const characters = (exact ? rest : rest.slice(0, end)).flatMap((token) =>
    token.kind === 'literal' ? [token.text] : [],
  )
  if (!exact && isOptional(rest.slice(end))) characters.pop()
  if (characters.length === 0 && !exact) return undefined
  return { kind: anchored ? 'prefix' : 'contains', literal: characters.join(''), exact }
}

/** Whether what stands before these tokens may be left out: one repetition may be repeated by the next. */
function isOptional(tokens: readonly Token[]): boolean {
  const other = tokens.findIndex(({ kind }) => kind !== 'repeat' && kind !== 'flags')
  const repeats = other < 0 ? tokens : tokens.slice(0, other)
  return repeats.some((token) => token.kind === 'repeat' && token.optional)
}

/** Whether there is an alternative outside of all groups, so that nothing is common to every match. */
function hasAlternatives(tokens: readonly Token[]): boolean {
  let depth = 0
  for (const { kind } of tokens) {
    if (kind === 'open') depth++
    else if (kind === 'close') depth--
    else if (kind === 'alternative' && depth === 0) return true
  }
  return false
}

function literalTest({ kind, literal }: LiteralParts): (text: string) => boolean {
  return kind === 'prefix' ? (text) => text.startsWith(literal) : (text) => text.includes(literal)
}

function programCost(tokens: readonly Token[]): number {
  /** For each open group, the cost of what came before its last token or group, and of that. */
  const groups = [{ before: 0, last: 0 }]
  for (const token of tokens) {
    const group = groups.at(-1)!
    if (token.kind === 'flags') continue
    if (token.kind === 'repeat') {
      group.last = group.last * token.times + 1
      continue
    }
    group.before += group.last
    group.last = token.kind === 'other' ? token.cost : 1
    if (token.kind === 'open') groups.push({ before: 0, last: 0 })
    if (token.kind === 'close' && groups.length > 1) {
      const outer = groups.at(-2)!
      outer.last += group.before + group.last
      groups.pop()
    }
  }
  return groups.reduce((sum, { before, last }) => sum + before + last, 0)
}

function compileProgram(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const problem = error instanceof RE2JSSyntaxException ? syntaxProblem(error) : 'it is too large'
    throw new AppError(
      'invalid_pattern',
      `the pattern ${shown(pattern)} can't be used: ${problem}${hint(pattern)}`,
      {
        cause: error,
      },
    )
  }
}

function syntaxProblem({ error, input }: RE2JSSyntaxException): string {
  return input === null || input === '' ? error : `${error} at ${shown(input)}`
}

/** What stands in place of what other dialects have and RE2 hasn't. */
function hint(pattern: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return "; patterns are in RE2's syntax, which has no lookahead and no lookbehind"
  if (/\\[1-9]|\\k[<{]|\(\?P[=>]/.test(pattern))
    return "; patterns are in RE2's syntax, which has no backreferences"
  return "; patterns are in RE2's syntax"
}

function shown(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text
  const characters = [...text.slice(0, 2 * SHOWN_CHARACTERS)]
  return `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
}
