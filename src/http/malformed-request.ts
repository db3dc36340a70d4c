import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'

/** What a client is told about a request that Node's HTTP parser gave up on. */
export function malformedRequest({ code }: NodeJS.ErrnoException, limits: Limits): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'url_too_long',
        `the URL or the headers are too long: a URL may have at most ${limits.urlBytes} bytes, and both not much more`,
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('invalid_request', 'the request took too long to arrive; send it in one go')
    case 'HPE_INVALID_URL':
      return new AppError(
        'invalid_path',
        'the URL holds a character that has to be percent-encoded (curl does so with -G --data-urlencode)',
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('invalid_request', 'the chunk extensions are too long; leave them out')
    default:
      return new AppError(
        'invalid_request',
        'this is not a valid HTTP/1.1 request (RFC 9112); look for spaces in the URL, which are written as %20',
      )
  }
}
