import { AppError } from '../errors.ts'
import { mayBeKey } from './api-key.ts'

/**
 * Checks a secret that was not made here: it may sit in a device that can't be changed. Its message tells where it is
 * wrong, and nothing of what it says.
 * @throws AppError `invalid_secret`
 */
export function checkSecret(secret: string): void {
  if (mayBeKey(secret)) return
  throw new AppError(
    'invalid_secret',
    `a secret has 24 to 128 characters of A-Z, a-z, 0-9, _ and -; ${secretProblem(secret)}`,
  )
}

function secretProblem(secret: string): string {
  const wrong = secret.search(/[^A-Za-z0-9_-]/)
  return wrong < 0 ? `this one has ${secret.length}` : `character ${wrong + 1} of this one is another`
}
