/** What went wrong with a request, in the server's words where it said some. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Such as `invalid_credentials`; `unreachable` where no answer came. */
  readonly code: string
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  /** By which the server's log knows the request; undefined where no answer came. */
  readonly requestId: string | undefined

  constructor(message: string, told: { code: string; status: number; requestId?: string | undefined }) {
    super(message)
    this.code = told.code
    this.status = told.status
    this.requestId = told.requestId
  }
}

/** Whether no answer came: the server is stopped, or the network away. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly json?: unknown
  readonly signal?: AbortSignal
}

/**
 * Asks the server for something under `/_/api`.
 * @param path such as `/apps`
 * @throws ApiError
 */
export async function askApi<Result>(path: string, request: ApiRequest = {}): Promise<Result> {
  const { method = 'GET', json, signal } = request
  const response = await fetchApi(path, {
    method,
    ...(json !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    }),
    ...(signal !== undefined && { signal }),
  })
  return (response.status === 204 ? undefined : await response.json()) as Result
}

/**
 * Sends a request as it is, and answers what came with a status of success, its body unread.
 * @param path such as `/apps`
 * @throws ApiError
 */
export async function fetchApi(path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`/_/api${path}`, request).catch((error: unknown) => {
    if (request.signal?.aborted) throw error
    throw new ApiError('the server did not answer', { code: 'unreachable', status: 0 })
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

/** What an answer without a status of success says. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const requestId = headers.get('X-Request-Id') ?? undefined
  try {
    const { code, message } = (await response.json()) as { code: string; message: string }
    return new ApiError(message, { code, status, requestId })
  } catch {
    // A proxy between may answer in its own words.
    return new ApiError(`the answer was ${status} without a reason`, { code: 'unknown', status, requestId })
  }
}
