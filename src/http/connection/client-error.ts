import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import { VERSIONS_SPOKEN } from '../request/header-fault.ts'
import { CORS_HEADERS } from '../response/cors.ts'
import { errorReply } from '../response/error-reply.ts'
import { COMMON_HEADERS } from '../response/reply.ts'
import { encodedTarget, type RefusedPacket } from './encoded-target.ts'
import { HSTS_HEADERS } from './strict-transport.ts'

// To import a module of Node.js reads all of its exports: of this one a WebSocket client too, which takes 40 ms of the
// processor at every start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** What a client is told about a request that Node's HTTP parser gave up on. */
export function malformedRequest(
  error: Pick<NodeJS.ErrnoException, 'code'> & RefusedPacket,
  limits: Limits,
): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'url_too_long',
        `the URL or the headers are too long or too many: a URL may have at most ${limits.urlBytes} bytes, both not ` +
          'much more, and a request 200 headers',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('invalid_request', 'the request took too long to arrive; send it in one go')
    case 'HPE_INVALID_URL':
      return new AppError('invalid_path', unencodedUrl(encodedTarget(error)))
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('invalid_request', 'the chunk extensions are too long; leave them out')
    case 'HPE_INVALID_CONTENT_LENGTH':
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
    case 'HPE_INVALID_TRANSFER_ENCODING':
    case 'HPE_INVALID_CHUNK_SIZE':
      return new AppError(
        'invalid_request',
        'it is not clear how long the body is (RFC 9112, section 6.3); send one Content-Length, in digits, or the ' +
          'one Transfer-Encoding chunked, each chunk with its length',
      )
    case 'HPE_INVALID_HEADER_TOKEN':
      return new AppError('invalid_request', 'a header has a character in it that may not stand there')
    case 'HPE_INVALID_EOF_STATE':
      return new AppError('invalid_request', 'the connection ended before the request did; send it whole')
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return new AppError('invalid_request', VERSIONS_SPOKEN)
    case 'HPE_INVALID_METHOD':
      return new AppError('invalid_request', 'the request begins with no method of HTTP, such as GET or POST')
    default:
      return new AppError(
        'invalid_request',
        'this is not a valid HTTP/1.1 request (RFC 9112); look for spaces in the URL, which are written as %20',
      )
  }
}

function unencodedUrl(encoded: string | undefined): string {
  const problem = 'the URL holds a character that has to be percent-encoded'
  if (encoded === undefined) return `${problem} (curl does so with -G --data-urlencode)`
  return `${problem}; write ${encoded}`
}

export function connectRefused(): AppError {
  return new AppError('invalid_request', 'this server is no proxy; CONNECT is not supported')
}

/** The whole response, for a connection that has no HTTP parser any more; it ends with that. */
export function refusalText(
  error: AppError,
  { requestId, isStrict }: { readonly requestId: string; readonly isStrict: boolean },
): string {
  const { status, body, headers = [] } = errorReply(error)
  const all = [...COMMON_HEADERS, ...(isStrict ? HSTS_HEADERS : []), ...CORS_HEADERS, ...headers]
  all.push('X-Request-Id', requestId, 'Content-Type', 'application/json', 'Connection', 'close')
  // RFC 9110, section 6.6.1: as every other answer has it from Node.
  all.push('Date', new Date().toUTCString())
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < all.length; i += 2) head += `${all[i]}: ${all[i + 1]}\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
