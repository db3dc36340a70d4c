import { AppError } from '../errors.ts'
import { documentTooLarge } from './document-too-large.ts'
import type { ExactNumber, JsonArray, JsonObject, JsonValue } from './value.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const MINUS = 0x2d

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERALS = new Map<number, readonly [string, JsonValue]>([
  [0x74, ['true', true]],
  [0x66, ['false', false]],
  [0x6e, ['null', null]],
])
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
const HEX4 = /[0-9a-fA-F]{4}/y
/** Up to here every integer of plain digits is printed by JavaScript as it was written. */
const PLAIN_DIGITS = 15

const TEXT_GOES_ON = 'a text should go on or end with "; control characters are written as escapes'

export interface ParseLimits {
  readonly nestingLevels: number
  /** Refuses with `document_too_large` what can't be written in fewer bytes than this. */
  readonly maxBytes?: number
}

/**
 * Parses one JSON text (RFC 8259) without losing a digit, a key or the order of keys.
 * @throws AppError `invalid_json`, `duplicate_key`, `number_out_of_range`, `invalid_unicode`, `null_character`,
 * `nesting_too_deep`, `document_too_large`
 */
export function parseJson(text: string, limits: ParseLimits): JsonValue {
  const parser = new ExactParser(text, limits)
  const value = parser.value()
  parser.end()
  return value
}

/** A parser over one text, for callers that take a text apart value by value. */
export class ExactParser {
  /** Whether all that was read so far stood in the text just as `stringify` writes it. */
  compact = true
  /** How far it has come; after an error, where that is. */
  position = 0
  private readonly text: string
  private readonly limits: ParseLimits
  private depth = 0
  private start = 0
  /** Units of the text that a compact form doesn't need. */
  private spare = 0

  constructor(text: string, limits: ParseLimits) {
    this.text = text
    this.limits = limits
  }

  /** Begins a new measured value: resets `compact` and the count of bytes; answers where it begins. */
  mark(): number {
    this.skipWhitespace()
    this.compact = true
    this.start = this.position
    this.spare = 0
    return this.position
  }

  /** The text as it was written since a mark. */
  since(mark: number): string {
    return this.text.slice(mark, this.position)
  }

  /** Takes one of JSON's punctuation marks if it comes next. */
  take(punctuation: '[' | ']' | ','): boolean {
    this.skipWhitespace()
    if (this.text[this.position] !== punctuation) return false
    this.position++
    return true
  }

  /** @throws AppError `invalid_json` unless nothing but white space is left */
  end(): void {
    this.skipWhitespace()
    if (this.position < this.text.length) throw this.unexpected('the text should end here')
  }

  value(): JsonValue {
    this.skipWhitespace()
    this.checkSize()
    const unit = this.text.charCodeAt(this.position)
    if (unit === QUOTE) return this.string()
    if (unit === OPEN_OBJECT) return this.object()
    if (unit === OPEN_ARRAY) return this.array()
    if (unit === MINUS || (unit >= 0x30 && unit <= 0x39)) return this.number()
    const literal = LITERALS.get(unit)
    if (literal === undefined || !this.text.startsWith(literal[0], this.position))
      throw this.unexpected('a value should stand here')
    this.position += literal[0].length
    return literal[1]
  }

  private object(): JsonObject {
    const object: JsonObject = new Map()
    this.enter()
    this.skipWhitespace()
    if (this.text.charCodeAt(this.position) === CLOSE_OBJECT) return this.leave(object)
    for (;;) {
      this.skipWhitespace()
      if (this.text.charCodeAt(this.position) !== QUOTE)
        throw this.unexpected('a key in double quotes should stand here')
      const at = this.position
      const key = this.string()
      this.skipWhitespace()
      if (this.text.charCodeAt(this.position) !== COLON) throw this.unexpected('a : should stand here')
      this.position++
      const size = object.size
      object.set(key, this.value())
      if (object.size === size) throw this.duplicateKey(key, at)
      this.skipWhitespace()
      const unit = this.text.charCodeAt(this.position)
      if (unit === CLOSE_OBJECT) return this.leave(object)
      if (unit !== COMMA) throw this.unexpected('a , or } should stand here')
      this.position++
    }
  }

  private array(): JsonArray {
    const array: JsonArray = []
    this.enter()
    this.skipWhitespace()
    if (this.text.charCodeAt(this.position) === CLOSE_ARRAY) return this.leave(array)
    for (;;) {
      array.push(this.value())
      this.skipWhitespace()
      const unit = this.text.charCodeAt(this.position)
      if (unit === CLOSE_ARRAY) return this.leave(array)
      if (unit !== COMMA) throw this.unexpected('a , or ] should stand here')
      this.position++
    }
  }

  private enter(): void {
    this.position++
    if (++this.depth > this.limits.nestingLevels)
      throw new AppError(
        'nesting_too_deep',
        `objects and arrays may be nested ${this.limits.nestingLevels} levels deep, no deeper`,
      )
  }

  private leave<T>(value: T): T {
    this.position++
    this.depth--
    return value
  }

  private number(): number | ExactNumber {
    NUMBER.lastIndex = this.position
    const source = NUMBER.exec(this.text)?.[0]
    if (source === undefined) throw this.unexpected('a number should stand here')
    this.position += source.length
    this.checkSize()
    const number = Number(source)
    if (source.length <= PLAIN_DIGITS && Number.isInteger(number) && !NOT_PLAIN.test(source)) return number
    if (!Number.isFinite(number))
      throw new AppError('number_out_of_range', `${source.slice(0, 40)} is too large for a number`)
    return String(number) === source ? number : { source }
  }

  private string(): string {
    const start = this.position + 1
    const last = this.lastUnit()
    let end = start
    for (;;) {
      if (end > last) throw documentTooLarge(this.limits.maxBytes!)
      const unit = this.text.charCodeAt(end)
      if (unit === QUOTE) break
      if (unit === BACKSLASH) return this.escapedString(start, end)
      if (!(unit >= 0x20)) {
        this.position = end
        throw this.unexpected(TEXT_GOES_ON)
      }
      end++
    }
    this.position = end + 1
    this.checkSize()
    return this.text.slice(start, end)
  }

  private escapedString(start: number, firstEscape: number): string {
    this.compact = false
    let result = ''
    let from = start
    for (let end = firstEscape; ; end++) {
      const unit = this.text.charCodeAt(end)
      if (unit === QUOTE || unit === BACKSLASH) result += this.text.slice(from, end)
      if (unit === QUOTE) {
        this.position = end + 1
        break
      }
      if (unit === BACKSLASH) {
        this.position = end + 1
        result += this.escape()
        this.checkSize()
        end = this.position - 1
        from = this.position
      } else if (!(unit >= 0x20)) {
        this.position = end
        throw this.unexpected(TEXT_GOES_ON)
      }
    }
    if (!result.isWellFormed())
      throw new AppError(
        'invalid_unicode',
        'a text holds a lone surrogate (\\ud800 to \\udfff without its pair)',
      )
    this.checkSize()
    return result
  }

  private escape(): string {
    const letter = this.text[this.position] ?? ''
    this.position++
    if (letter !== 'u') {
      const character = ESCAPES.get(letter)
      if (character === undefined) throw this.unexpected('a backslash starts no escape that JSON knows')
      return character
    }
    HEX4.lastIndex = this.position
    const digits = HEX4.exec(this.text)?.[0]
    if (digits === undefined) throw this.unexpected('\\u should be followed by four hexadecimal digits')
    if (digits === '0000')
      throw new AppError(
        'null_character',
        'texts and keys may not contain \\u0000; leave it out or encode it',
      )
    this.position += 4
    this.spare += 5
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  /** Without a pattern, which takes a third of the time of a text that is indented. */
  private skipWhitespace(): void {
    const from = this.position
    while (isWhitespace(this.text.charCodeAt(this.position))) this.position++
    this.spare += this.position - from
    if (this.position > from) this.compact = false
  }

  /** Beyond it even the shortest form of what was read would be too long, for each unit is a byte at least. */
  private lastUnit(): number {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.limits
    return this.start + this.spare + maxBytes
  }

  private checkSize(): void {
    if (this.position > this.lastUnit()) throw documentTooLarge(this.limits.maxBytes!)
  }

  private duplicateKey(key: string, at: number): AppError {
    this.position = at
    const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)
    return new AppError('duplicate_key', `the key ${shown} stands twice in one object; keep one of them`)
  }

  private unexpected(expectation: string): AppError {
    const { text, position } = this
    if (position >= text.length)
      return new AppError('invalid_json', `this is not valid JSON: the text ends too early; ${expectation}`)
    const found = JSON.stringify(String.fromCodePoint(text.codePointAt(position)!))
    return new AppError(
      'invalid_json',
      `this is not valid JSON: unexpected ${found} at position ${position}; ${expectation}`,
    )
  }
}

function isWhitespace(unit: number): boolean {
  return unit <= 0x20 && (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09)
}

/** Texts of whole numbers that are not what JavaScript prints: `-0`, `1.0`, `1e3`. */
const NOT_PLAIN = /[.eE]|^-0/
