import { readFileSync } from 'node:fs'
import { type IdentityProviderSettings, issuerProblem } from '../domain/identity-provider.ts'
import { type Environment, invalid, setting, switchFrom } from './settings.ts'

export interface OidcArgs {
  readonly oidcIssuer?: string | undefined
  readonly oidcClientId?: string | undefined
  readonly oidcClientSecretFile?: string | undefined
  readonly oidcName?: string | undefined
  readonly oidcSignUp?: string | undefined
}

/** Bytes of a file with a secret. */
const SECRET_BYTES = 4096
const NAME_FORM = /^[^\p{C}]{1,40}$/u

/**
 * Undefined where no issuer is named.
 * @param publicUrl which the provider sends browsers back to, and has to be told before
 * @throws AppError `invalid_configuration`
 */
export function oidcFrom(
  env: Environment,
  args: OidcArgs,
  publicUrl: string | undefined,
): IdentityProviderSettings | undefined {
  const issuer = setting(args.oidcIssuer, '--oidc-issuer', env.SHEAF_OIDC_ISSUER)
  const clientId = setting(args.oidcClientId, '--oidc-client-id', env.SHEAF_OIDC_CLIENT_ID)
  const secretFile = setting(
    args.oidcClientSecretFile,
    '--oidc-client-secret-file',
    env.SHEAF_OIDC_CLIENT_SECRET_FILE,
  )
  const secret = env.SHEAF_OIDC_CLIENT_SECRET || undefined
  const name = setting(args.oidcName, '--oidc-name', env.SHEAF_OIDC_NAME)
  const signUp = setting(args.oidcSignUp, '--oidc-sign-up', env.SHEAF_OIDC_SIGN_UP)
  if (issuer === undefined) {
    // An option that does nothing would let its giver believe that it does.
    if ((clientId ?? secretFile ?? secret ?? name ?? signUp) === undefined) return undefined
    throw invalid('the options for OpenID Connect need a provider; give --oidc-issuer or SHEAF_OIDC_ISSUER')
  }
  if (clientId === undefined)
    throw invalid('the provider knows this server by an id: give --oidc-client-id or SHEAF_OIDC_CLIENT_ID')
  if (publicUrl === undefined)
    throw invalid(
      'the provider sends browsers back to this server: give --public-url or SHEAF_PUBLIC_URL, too, ' +
        'and tell the provider that address with /_/oidc behind it',
    )
  const problem = issuerProblem(issuer)
  if (problem !== undefined)
    throw invalid(`${JSON.stringify(issuer)} is no issuer (--oidc-issuer, SHEAF_OIDC_ISSUER): ${problem}`)
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: secretFrom(secretFile, secret),
    name: nameFrom(name ?? new URL(issuer).host),
    isSignupOpen: switchFrom('--oidc-sign-up', signUp ?? 'off'),
  })
}

function secretFrom(file: string | undefined, variable: string | undefined): string {
  if (file !== undefined && variable !== undefined)
    throw invalid(
      '--oidc-client-secret-file and SHEAF_OIDC_CLIENT_SECRET are two ways to a secret; give one of them',
    )
  const secret = file === undefined ? variable : readSecret(file)
  if (secret !== undefined && secret !== '') return secret
  throw invalid(
    'the provider believes this server by a secret: give --oidc-client-secret-file or SHEAF_OIDC_CLIENT_SECRET',
  )
}

/** Without the end of its line. */
function readSecret(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw invalid(`--oidc-client-secret-file can't be read: ${(error as Error).message}`)
  }
  if (bytes.length > SECRET_BYTES) throw invalid(`${file} is too long to hold a secret of a client`)
  return bytes.toString('utf8').trim()
}

function nameFrom(text: string): string {
  const name = text.trim()
  if (NAME_FORM.test(name)) return name
  throw invalid(`${JSON.stringify(text)} is no name for a button (--oidc-name, SHEAF_OIDC_NAME)`)
}
