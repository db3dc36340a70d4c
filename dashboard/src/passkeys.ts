import { ApiError, askApi } from './api.ts'
import { TEXTS } from './texts.ts'

/** Whether the browser has passkeys, and can be asked for them as the server writes it. */
export function hasPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'
}

/** What an authenticator answered, as the server takes it. */
export interface Assertion {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle?: string
}

/**
 * Has somebody show a passkey.
 * @param purpose whoever they are, or that it is still who is signed in
 * @throws ApiError as the server does, and `passkey_refused` where the browser brings none
 */
export async function askForPasskey(purpose: 'sign-in' | 'confirm'): Promise<Assertion> {
  const json = purpose === 'confirm' ? { confirm: true } : {}
  const options = await askApi<PublicKeyCredentialRequestOptionsJSON>('/session/passkey-options', {
    method: 'POST',
    json,
  })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, response } = await asked(navigator.credentials.get({ publicKey }), options.rpId)
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    response as AuthenticatorAssertionResponseJSON
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

/** Shows by a passkey that it is still who is signed in. @throws ApiError as `askForPasskey` does */
export async function confirmByPasskey(): Promise<void> {
  const assertion = await askForPasskey('confirm')
  await askApi('/session/passkey', { method: 'POST', json: { ...assertion, confirm: true } })
}

/**
 * Has an authenticator make a passkey for the account, which the server asked for.
 * @returns what the server keeps of it
 * @throws ApiError `passkey_refused`
 */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, response } = await asked(navigator.credentials.create({ publicKey }), options.rp.id)
  const { clientDataJSON, attestationObject, transports } = response as AuthenticatorAttestationResponseJSON
  return { id, clientDataJSON, attestationObject, transports }
}

async function asked(
  answer: Promise<Credential | null>,
  host: string | undefined,
): Promise<{ readonly id: string; readonly response: object }> {
  try {
    return ((await answer) as PublicKeyCredential).toJSON()
  } catch (error) {
    throw new ApiError(refusalOf(error as Error, host), { code: 'passkey_refused', status: 400 })
  }
}

/** Browsers say little, so that a page doesn't learn which passkeys there are. */
function refusalOf({ name, message }: Error, host = location.hostname): string {
  const { refused } = TEXTS.passkeys
  if (name === 'SecurityError') return refused.elsewhere(host)
  if (name === 'InvalidStateError') return refused.known
  // Chromium's words; there is no other sign of it.
  if (name === 'NotAllowedError') return /certificate/i.test(message) ? refused.certificate : refused.none
  if (name === 'NotSupportedError') return refused.unsupported
  return refused.other(name)
}
