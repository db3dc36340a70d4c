import { AppError } from '../errors.ts'

export function immutableId(): AppError {
  return new AppError(
    'immutable_id',
    'the _id of a document never changes; leave it out, or save a new document and delete this one',
  )
}
