import { type DocumentId, textId } from '../domain/document.ts'
import { AppError } from '../errors.ts'
import { fromQuantity } from './from-quantity.ts'
import { isJsonNumber, isJsonObject, type JsonValue, quantity } from './value.ts'

/**
 * The key that a JSON value makes as an `_id`: a text as it is, a number by its quantity, so that equal
 * numbers make one key.
 * @throws AppError `invalid_id`, `null_character`
 */
export function documentId(value: JsonValue): DocumentId {
  if (typeof value === 'string') return textId(value)
  if (!isJsonNumber(value))
    throw new AppError('invalid_id', `_id should be a text or a number; ${adviceOn(value)}`)
  const amount = quantity(value)
  if (typeof amount === 'bigint') return amount
  if (!Number.isFinite(amount)) throw new AppError('invalid_id', '_id should be a finite number')
  // Adding zero makes -0 the zero that it equals.
  return amount + 0
}

function adviceOn(value: JsonValue): string {
  if (isJsonObject(value) && value.has('$oid'))
    return 'write an ObjectId as its 24 digits: "_id": "…", without $oid'
  return 'leave it out to get one assigned'
}

/** The JSON value of an id whose written form is not known. */
export function idValue(id: DocumentId): JsonValue {
  return typeof id === 'string' ? id : fromQuantity(id)
}
