import { ApiError, fetchApi } from './api.ts'

/** A download takes a moment to begin. */
const MARGIN_MS = 10_000

/** Has the browser save a text as a file. */
export function saveText(
  text: string,
  { name, type }: { readonly name: string; readonly type: string },
): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  save(address, name)
  URL.revokeObjectURL(address)
}

/**
 * Has the browser save what the server streams as a file, for which the password has to have been given lately: a download can't
 * ask for it.
 * @param path under `/_/api`
 * @throws ApiError `password_required` where the server would refuse it
 */
export async function saveConfirmed(path: string): Promise<void> {
  const response = await fetchApi('/session', {})
  const { passwordGoodUntil } = (await response.json()) as { passwordGoodUntil: string }
  // By the server's clock: the browser's may be another.
  const now = Date.parse(response.headers.get('Date')!)
  if (now + MARGIN_MS > Date.parse(passwordGoodUntil))
    throw new ApiError('the password is needed', { code: 'password_required', status: 403 })
  save(`/_/api${path}`, '')
}

/** @param name what it is called where the server doesn't say */
function save(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
