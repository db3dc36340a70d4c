import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'

/** The client went away before its request was complete; nobody is left to answer. */
export class ClientGone extends Error {}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reads a request's whole body. A client that waits for `100 Continue` gets it here, so that none sends a body that
 * would be refused unread.
 * @throws AppError `body_too_large`, `invalid_request` for an encoding or charset other than none and UTF-8
 * @throws ClientGone
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly bodyBytes: number; readonly expectsContinue: boolean },
): Promise<Buffer> {
  refuseEncodings(request)
  if (declaredLength(request) > options.bodyBytes) throw bodyTooLarge(options.bodyBytes)
  if (options.expectsContinue) response.writeContinue()
  return collect(request, options.bodyBytes)
}

/** The length that a request declares for its body, NaN where it comes in chunks. */
export function declaredLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN
  return Number(headers['content-length'] ?? 0)
}

/** Any media type will do, for many clients send the wrong one; how the text is encoded has to be known. */
function refuseEncodings({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'invalid_request',
      'compressed bodies are not supported; send the body without Content-Encoding',
    )
  const type = headers['content-type']
  const charset = type === undefined ? undefined : CHARSET.exec(type)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new AppError(
      'invalid_request',
      'the body should be UTF-8, and its charset be declared so or not at all',
    )
}

function bodyTooLarge(bodyBytes: number): AppError {
  return new AppError('body_too_large', `a request body may have at most ${bodyBytes} bytes`)
}

function collect(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (): void => {
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('close', onClose)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= bodyBytes) {
        chunks.push(chunk)
        return
      }
      stop()
      reject(bodyTooLarge(bodyBytes))
    }
    const onEnd = (): void => {
      stop()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
    }
    const onClose = (): void => {
      stop()
      reject(new ClientGone())
    }
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', onClose)
    // Whatever goes wrong with a request closes it, too; the listener keeps the process from ending.
    request.on('error', () => {})
  })
}
