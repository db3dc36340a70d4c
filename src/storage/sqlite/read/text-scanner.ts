const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Goes once through the compact text of a document, as `stringify` writes it: to take all of it apart takes ten times as
 * long. Each method begins where the one before has ended.
 */
export class TextScanner {
  protected readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The first unit of what comes. */
  protected unit(): number {
    return this.text.charCodeAt(this.at)
  }

  /** Whether a member or element comes, whose beginning it goes to; else it goes behind the bracket that closes. */
  goesOn(): boolean {
    const unit = this.text.charCodeAt(this.at++)
    if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) return false
    if (unit === COMMA) return true
    const next = this.text.charCodeAt(this.at)
    if (next !== CLOSE_OBJECT && next !== CLOSE_ARRAY) return true
    this.at++
    return false
  }

  key(): string {
    const key = this.passed()
    this.at++
    return key
  }

  /** The text of a value, or of a key. */
  passed(): string {
    const start = this.at
    this.pass()
    return this.text.slice(start, this.at)
  }

  pass(): void {
    const unit = this.text.charCodeAt(this.at)
    if (unit === QUOTE) this.at = endOfText(this.text, this.at)
    else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      this.at++
      this.passMembers()
    } else this.at = endOfWord(this.text, this.at)
  }

  /** Passes over all that is left inside of a bracket, and that which closes it. @returns how many members were left */
  protected passMembers(): number {
    const { text } = this
    let commas = 0
    let at = this.at
    for (let depth = 0; ; at++) {
      const unit = unitAt(text, at)
      // Most of what is not in a text is digits.
      if (unit > COMMA && unit < OPEN_ARRAY) continue
      if (unit === QUOTE) at = endOfText(text, at) - 1
      else if (unit === COMMA && depth === 0) commas++
      else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) depth++
      else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
        if (depth === 0) break
        depth--
      }
    }
    this.at = at + 1
    return commas
  }
}

/** @param at where its first quote stands */
function endOfText(text: string, at: number): number {
  for (let end = at; ; ) {
    end = text.indexOf('"', end + 1)
    if (end < 0) throw isDamaged()
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
}

/** Of a number, a boolean or null. */
function endOfWord(text: string, at: number): number {
  for (let end = at; ; end++) {
    const unit = unitAt(text, end)
    if (unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) return end
  }
}

function unitAt(text: string, at: number): number {
  if (at >= text.length) throw isDamaged()
  return text.charCodeAt(at)
}

/** Or it would be gone through for ever. */
function isDamaged(): Error {
  return new Error('a stored document is damaged: its text ends too early')
}
