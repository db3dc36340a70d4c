import { storedValue } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import type { JsonValue } from '../../../json/value.ts'
import type { Projection } from '../../../query/ast.ts'
import {
  beginningOf,
  FIELD_CHARACTERS,
  FIRST_MEMBERS,
  INNER_CHARACTERS,
  previewOfField,
  roomForFields,
  roomForFirst,
} from '../../../query/preview.ts'
import { type FieldChoice, prepareChoice, prepareProjection } from '../../../query/projection.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Makes previews from text to text: to take all of a document apart for a few hundred bytes of it takes ten times as long.
 * The text of a document is compact, as `stringify` writes it; a preview is that which `previewOf` makes.
 * @param projection which of the fields are shown
 */
export function preparePreview(projection: Projection | undefined): (document: string) => string {
  const choice = projection && prepareChoice(projection)
  const project = projection && prepareProjection(projection)
  const part = (field: string, value: string): JsonValue | undefined =>
    project!(new Map([[field, storedValue(value)]])).get(field)
  return (document) => new PreviewScanner(document, { choice, part }).row()
}

/** What a projection leaves of the fields of a document. */
interface Projecting {
  /** Without it they are left as they are. */
  readonly choice: ((field: string) => FieldChoice) | undefined
  /** What is left of one that is left in part, if anything is. */
  readonly part: (field: string, value: string) => JsonValue | undefined
}

/** Goes through a text once. Each method begins where `at` is, and leaves it behind what it has read. */
class PreviewScanner {
  private readonly text: string
  private readonly projecting: Projecting
  private at = 0

  constructor(text: string, projecting: Projecting) {
    this.text = text
    this.projecting = projecting
  }

  row(): string {
    const bytes = Buffer.byteLength(this.text)
    const room = roomForFields(bytes)
    const fields: string[] = []
    let id = ''
    let left = 0
    while (this.goesOn()) {
      const key = this.key()
      if (key === '"_id"') {
        id = this.passed()
        continue
      }
      const shown = this.projected(key, left === 0)
      if (shown === undefined) continue
      const field = `${key}:${shown}`
      if (room.take(field)) fields.push(field)
      else left++
    }
    const end = left > 0 ? `,"left":${left}` : ''
    return `{"id":${id},"bytes":${bytes},"fields":{${fields.join(',')}}${end}}`
  }

  /** What is shown of the value of a key, or undefined where the projection leaves nothing of it. */
  private projected(key: string, hasRoom: boolean): string | undefined {
    const { choice, part } = this.projecting
    const field = choice === undefined ? '' : (JSON.parse(key) as string)
    switch (choice?.(field)) {
      case 'nothing':
        this.pass()
        return undefined
      case 'part': {
        const left = part(field, this.passed())
        return left === undefined ? undefined : stringify(previewOfField(left))
      }
      default:
        if (hasRoom) return this.field()
        this.pass()
        return ''
    }
  }

  private field(): string {
    switch (this.text.charCodeAt(this.at)) {
      case OPEN_OBJECT:
        return this.nested('object', () => `[${this.key()},${this.inside()}]`)
      case OPEN_ARRAY:
        return this.nested('array', () => this.inside())
      default:
        return shortened(this.passed(), FIELD_CHARACTERS)
    }
  }

  private nested(kind: 'object' | 'array', member: () => string): string {
    const room = roomForFirst()
    const first: string[] = []
    let count = 0
    while (count < FIRST_MEMBERS && this.goesOn()) {
      const shown = member()
      if (room.take(shown)) first.push(shown)
      count++
    }
    if (count === FIRST_MEMBERS) count += this.passMembers()
    return `{"${kind}":${count},"first":[${first.join(',')}]}`
  }

  private inside(): string {
    const unit = this.text.charCodeAt(this.at)
    if (unit !== OPEN_OBJECT && unit !== OPEN_ARRAY) return shortened(this.passed(), INNER_CHARACTERS)
    this.pass()
    return unit === OPEN_OBJECT ? '{}' : '[]'
  }

  /** Whether a member or element comes, whose beginning it goes to; else it goes behind the bracket that closes. */
  private goesOn(): boolean {
    const unit = this.text.charCodeAt(this.at++)
    if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) return false
    if (unit === COMMA) return true
    const next = this.text.charCodeAt(this.at)
    if (next !== CLOSE_OBJECT && next !== CLOSE_ARRAY) return true
    this.at++
    return false
  }

  private key(): string {
    const key = this.passed()
    this.at++
    return key
  }

  /** The text of a value, or of a key. */
  private passed(): string {
    const start = this.at
    this.pass()
    return this.text.slice(start, this.at)
  }

  private pass(): void {
    const unit = this.text.charCodeAt(this.at)
    if (unit === QUOTE) this.at = endOfText(this.text, this.at)
    else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      this.at++
      this.passMembers()
    } else this.at = endOfWord(this.text, this.at)
  }

  /** Passes over all that is left inside of a bracket, and that which closes it. @returns how many members were left */
  private passMembers(): number {
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

/** What is shown of a scalar. */
function shortened(json: string, characters: number): string {
  // Each character takes a unit of the text, and so do the quotes.
  if (json.charCodeAt(0) !== QUOTE || json.length <= characters + 2) return json
  const value = json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
  const text = beginningOf(value, characters)
  return text === undefined ? json : `{"text":${JSON.stringify(text)},"length":${value.length}}`
}

function unitAt(text: string, at: number): number {
  if (at >= text.length) throw isDamaged()
  return text.charCodeAt(at)
}

/** Or it would be gone through for ever. */
function isDamaged(): Error {
  return new Error('a stored document is damaged: its text ends too early')
}
