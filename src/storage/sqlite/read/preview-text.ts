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
import { TextScanner } from './text-scanner.ts'

const QUOTE = 0x22
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

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

class PreviewScanner extends TextScanner {
  private readonly projecting: Projecting

  constructor(text: string, projecting: Projecting) {
    super(text)
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
    switch (this.unit()) {
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
    const unit = this.unit()
    if (unit !== OPEN_OBJECT && unit !== OPEN_ARRAY) return shortened(this.passed(), INNER_CHARACTERS)
    this.pass()
    return unit === OPEN_OBJECT ? '{}' : '[]'
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
