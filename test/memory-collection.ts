import type { DocumentId } from '../src/domain/document.ts'
import type { JsonObject } from '../src/json/value.ts'

/** In natural order: a Map keeps the place of a key that is set again. */
export class Collection extends Map<DocumentId, JsonObject> {
  readonly rowIds = new Map<DocumentId, number>()
  readonly number: number
  private lastRowId = 0

  /** @param number one that no other collection has; 0 is none that is there */
  constructor(number = 0) {
    super()
    this.number = number
  }

  override set(id: DocumentId, document: JsonObject): this {
    if (!this.has(id)) this.rowIds.set(id, ++this.lastRowId)
    return super.set(id, document)
  }
}
