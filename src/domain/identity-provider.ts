/** An OpenID provider that accounts are signed in to by. */
export interface IdentityProviderSettings {
  /** Its https address, as it calls itself. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people call it. */
  readonly name: string
  /** Whether everybody whom it lets in may make an account. */
  readonly isSignupOpen: boolean
}

/** Units of the address of a provider, and of who somebody is there (OpenID Connect Core, section 2). */
const ISSUER_LENGTH = 2000
const SUBJECT_FORM = /^[\x20-\x7e]{1,255}$/

/** Whether a text can be kept as who somebody is at a provider. */
export function isSubject(text: string): boolean {
  return SUBJECT_FORM.test(text)
}

/** Why a text can't be the issuer of identities; undefined where it can (OpenID Connect Discovery, section 3). */
export function issuerProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (text.length > ISSUER_LENGTH || url?.protocol !== 'https:')
    return 'it is the https address of the provider, as in https://login.example.org/realms/team'
  if (url.username !== '' || url.password !== '' || text.includes('?') || text.includes('#'))
    return 'it has no name, password, ? or # in it'
  if (text.includes('/.well-known/')) return 'it ends before /.well-known/'
  return undefined
}
