import { ApiError, errorOf } from './api.ts'

export interface FileToSend {
  /** Under `/_/api`. */
  readonly path: string
  readonly file: Blob
  /** Its media type. */
  readonly type: string
  /** Told how many of its bytes have left. */
  readonly onProgress: (sentBytes: number, allBytes: number) => void
  /** Ends it: the server is told by the connection, which breaks. */
  readonly signal: AbortSignal
}

/**
 * Sends a file as it is, read from its disk on the way, and answers the JSON that came. By `XMLHttpRequest`, for `fetch` doesn't
 * tell how far it is.
 * @throws ApiError
 */
export function sendFile<Result>({ path, file, type, onProgress, signal }: FileToSend): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const request = new XMLHttpRequest()
  const answered = async (): Promise<Result> => {
    const response = new Response(request.responseText, {
      status: request.status,
      headers: { 'X-Request-Id': request.getResponseHeader('X-Request-Id') ?? '' },
    })
    if (!response.ok) throw await errorOf(response)
    return (await response.json()) as Result
  }
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded, file.size))
  request.addEventListener('load', () => answered().then(resolve, reject))
  request.addEventListener('abort', () => reject(signal.reason))
  request.addEventListener('error', () =>
    reject(new ApiError('the server did not answer', { code: 'unreachable', status: 0 })),
  )
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.open('POST', `/_/api${path}`)
  request.setRequestHeader('Content-Type', type)
  request.send(file)
  return promise
}
