import { createHash } from 'node:crypto'
import { type Environment, invalid, setting } from './settings.ts'

const LEAST_CHARACTERS = 16
/** What stands behind `Bearer ` (RFC 6750, section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * SHA-256 of the token that opens the metrics from anywhere; undefined where there is none. It is a secret, so that there is
 * no option for it, which everybody on the machine could read.
 * @throws AppError `invalid_configuration`
 */
export function metricsTokenHashFrom({ SHEAF_METRICS_TOKEN }: Environment): Uint8Array | undefined {
  const token = setting(undefined, '', SHEAF_METRICS_TOKEN)
  if (token === undefined) return undefined
  if (token.length < LEAST_CHARACTERS || !TOKEN.test(token))
    throw invalid(
      `SHEAF_METRICS_TOKEN must have at least ${LEAST_CHARACTERS} characters, of A-Z, a-z, 0-9 and -._~+/; "openssl rand -hex 24" prints one`,
    )
  return createHash('sha256').update(token).digest()
}
