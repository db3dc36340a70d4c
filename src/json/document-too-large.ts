import { AppError } from '../errors.ts'

export function documentTooLarge(maxBytes: number): AppError {
  return new AppError('document_too_large', `a document may have at most ${maxBytes} bytes`)
}

/** Of one that the server takes, and the settings of its app don't. */
export function documentTooLargeForApp(maxBytes: number): AppError {
  return new AppError(
    'document_too_large',
    `a document of this app may have at most ${maxBytes} bytes, as its settings say`,
  )
}
