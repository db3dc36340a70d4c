import { isIP } from 'node:net'
import type { NewPasskey, PasskeyRecord, PasskeyUse, StoredPasskey } from '../storage/account-records.ts'
import { CHALLENGE_MS, type Challenged, type Challenges, createChallenges } from './challenges.ts'

/** COSE's numbers of Ed25519, ECDSA on P-256, and RSASSA-PKCS1-v1_5, by which every authenticator there is has one. */
const ALGORITHMS = [-8, -7, -257]
/** Of a credential's id (Web Authentication, section 5.8.3), and of its public key: RSA with 4,096 bits and room. */
const ID_BYTES = 1023
const PUBLIC_KEY_BYTES = 1024
const TRANSPORTS: ReadonlySet<string> = new Set([
  ...['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'],
])

/** What an authenticator answers, each text in base64url as `PublicKeyCredential.toJSON` writes it. */
export interface Assertion {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  /** Of the account, as `creationOptions` called it; only where no account was named may it not be left out. */
  readonly userHandle?: string | undefined
}

/** The same of a passkey that it has made. */
export interface Registration {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports?: readonly string[] | undefined
}

/** Whose passkey is made. */
export interface PasskeyUser {
  readonly id: string
  readonly email: string
  readonly name: string
}

/** `PublicKeyCredentialRequestOptionsJSON` (Web Authentication, section 5.5). */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'required'
  readonly allowCredentials: readonly CredentialDescriptor[]
}

/** `PublicKeyCredentialCreationOptionsJSON` (section 5.4). */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[]
  readonly timeout: number
  readonly excludeCredentials: readonly CredentialDescriptor[]
  readonly authenticatorSelection: {
    readonly residentKey: 'required'
    readonly requireResidentKey: true
    readonly userVerification: 'required'
  }
  readonly attestation: 'none'
}

export interface CredentialDescriptor {
  readonly type: 'public-key'
  readonly id: string
  readonly transports: readonly string[]
}

/** Passkeys of one origin: what browsers are asked, and whether their answers are good. */
export interface Passkeys {
  /** That they belong to: the identifier of the relying party. Those of another one are not asked for. */
  readonly host: string
  /** @param passkeys of the account whose they have to be; none where any will do */
  requestOptions(
    challenged: Challenged,
    of: { readonly passkeys: readonly PasskeyRecord[]; readonly address: string },
  ): RequestOptions
  /** @param passkeys that the account has already */
  creationOptions(
    user: PasskeyUser,
    of: { readonly passkeys: readonly PasskeyRecord[]; readonly address: string },
  ): CreationOptions
  /** The use where it is good, and what it answers was asked for that; undefined where anything is wrong with it. */
  verify(
    assertion: Assertion,
    of: { passkey: StoredPasskey; challenged: Challenged },
  ): Promise<PasskeyUse | undefined>
  /** What there is to keep of it. */
  verifyNew(
    registration: Registration,
    account: string,
  ): Promise<Omit<NewPasskey, 'account' | 'name'> | undefined>
}

/**
 * @param origin of the dashboard; undefined where its host is an IP address, for passkeys are bound to a domain (Web
 * Authentication, section 4, on identifiers of relying parties)
 * @param now milliseconds of a clock that is never set back
 */
export function createPasskeys(origin: string, now: () => number): Passkeys | undefined {
  const url = new URL(origin)
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const challenges = createChallenges(now)
  return { host: url.hostname, ...optionsOf(url, challenges), ...checksOf(url, challenges) }
}

function optionsOf(
  { host, hostname: rpId }: URL,
  challenges: Challenges,
): Pick<Passkeys, 'requestOptions' | 'creationOptions'> {
  return {
    requestOptions(challenged, { passkeys, address }) {
      prepare()
      return {
        challenge: challenges.create(challenged, address),
        ...{ rpId, timeout: CHALLENGE_MS, userVerification: 'required' },
        allowCredentials: descriptorsOf(passkeys, rpId),
      }
    },
    creationOptions(user, { passkeys, address }) {
      prepare()
      return {
        challenge: challenges.create({ purpose: 'create', account: user.id }, address),
        rp: { id: rpId, name: `Sheaf ${host}` },
        user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        ...{ timeout: CHALLENGE_MS, attestation: 'none' },
        excludeCredentials: descriptorsOf(passkeys, rpId),
        authenticatorSelection: {
          ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        },
      }
    },
  }
}

function checksOf({ origin, hostname }: URL, challenges: Challenges): Pick<Passkeys, 'verify' | 'verifyNew'> {
  const here = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
  return {
    async verify(assertion, { passkey, challenged }) {
      if (!isOf(assertion, passkey, challenged)) return undefined
      const { verifyAuthenticationResponse } = await loadLibrary()
      const { clientDataJSON, authenticatorData, signature } = assertion
      const { publicKey, uses: counter } = passkey
      const verified = await verifyAuthenticationResponse({
        ...here,
        response: credential(assertion.id, { clientDataJSON, authenticatorData, signature }),
        expectedChallenge: (challenge) => challenges.take(challenge, challenged),
        credential: { id: passkey.id, publicKey: Uint8Array.from(publicKey), counter },
      }).catch(() => undefined)
      if (verified?.verified !== true) return undefined
      return { id: passkey.id, uses: verified.authenticationInfo.newCounter }
    },
    async verifyNew(registration, account) {
      const { clientDataJSON, attestationObject } = registration
      const { verifyRegistrationResponse } = await loadLibrary()
      if (!(await isWithoutCertificate(registration))) return undefined
      const verified = await verifyRegistrationResponse({
        ...here,
        response: credential(registration.id, { clientDataJSON, attestationObject }),
        expectedChallenge: (challenge) => challenges.take(challenge, { purpose: 'create', account }),
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined)
      const made = verified?.registrationInfo?.credential
      if (made === undefined || made.id !== registration.id || made.publicKey.length > PUBLIC_KEY_BYTES)
        return undefined
      if (Buffer.from(made.id, 'base64url').length > ID_BYTES) return undefined
      const transports = registration.transports?.filter((each) => TRANSPORTS.has(each)) ?? []
      return {
        ...{ id: made.id, host: hostname, publicKey: made.publicKey, uses: made.counter },
        transports: [...new Set(transports)],
      }
    },
  }
}

/** It is loaded where somebody uses a passkey, and not before. */
function loadLibrary() {
  return import('@simplewebauthn/server')
}

/** While somebody looks for their key. What fails is told to whoever comes with an answer. */
function prepare(): void {
  loadLibrary().catch(() => undefined)
}

/** Whether the passkey is the account's that was asked, and the authenticator made it for its account. */
function isOf({ userHandle }: Assertion, { account }: StoredPasskey, challenged: Challenged): boolean {
  if (challenged.account !== undefined && challenged.account !== account) return false
  // Authenticators may leave it out where they were told which passkeys will do.
  return userHandle === undefined ? challenged.account !== undefined : userHandle === userHandleOf(account)
}

/**
 * None was asked for, and what one says would be looked up on hosts that it names itself. What browsers leave in is a
 * signature by the passkey's own key (Web Authentication, section 5.1.3, on conveyance `none`).
 */
async function isWithoutCertificate({ attestationObject }: Registration): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** As browsers write it. */
function credential<Response>(id: string, response: Response) {
  return { id, rawId: id, type: 'public-key' as const, response, clientExtensionResults: {} }
}

function descriptorsOf(passkeys: readonly PasskeyRecord[], rpId: string): CredentialDescriptor[] {
  return passkeys
    .filter(({ host }) => host === rpId)
    .map(({ id, transports }) => ({ type: 'public-key', id, transports }))
}

function userHandleOf(account: string): string {
  return Buffer.from(account).toString('base64url')
}
