import { Secret, TOTP } from 'otpauth'

/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20
const PERIOD_S = 30
const DIGITS = 6
/** Steps before and behind the present one that are taken, for clocks that differ (RFC 6238, section 5.2). */
const WINDOW = 1
/** Its 160 bits in base32, without padding, in upper case. */
const SECRET_FORM = /^[A-Z2-7]{32}$/
/** What every app for codes can do; most know nothing else. */
const ALGORITHM = 'SHA1'
const CODE_FORM = /^\d{6}$/
const MOST_TYPED = 20

/** A new secret in base32, as it is shown and kept. */
export function generateTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Whether a text has the form of a secret that was made here, and no other, so that none is shorter. */
export function isTotpSecret(text: string): boolean {
  return SECRET_FORM.test(text)
}

/** The URI that a QR code for an app has in it. Colons become spaces in it, for a colon parts issuer and account. */
export function totpUri(options: {
  readonly secret: string
  readonly issuer: string
  readonly account: string
}): string {
  const [issuer, label] = [labelOf(options.issuer), labelOf(options.account)]
  return new TOTP({
    issuer,
    label,
    secret: options.secret,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_S,
  }).toString()
}

/**
 * The step for which a code is right, counted from the Unix epoch, or undefined. A code is good once (RFC 6238, section
 * 5.2): the caller refuses one whose step is not above the last that was used.
 * @param typed spaces in it don't matter
 * @param now milliseconds since the Unix epoch
 */
export function totpStep(
  typed: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): number | undefined {
  const token = typed.length > MOST_TYPED ? '' : typed.replace(/\s/g, '')
  if (!CODE_FORM.test(token)) return undefined
  const delta = TOTP.validate({
    token,
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_S,
    timestamp: now,
    window: WINDOW,
  })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}

function labelOf(text: string): string {
  return text.toWellFormed().replaceAll(':', ' ')
}
