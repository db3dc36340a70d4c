import { askApi } from './api.ts'

/** What a sign-in by the OpenID provider is for. */
export type ProviderPurpose = 'sign-in' | 'link' | 'connect' | 'confirm'

interface BegunSignIn {
  readonly purpose: ProviderPurpose
  /** Of a link that is to be used. */
  readonly secret?: string | undefined
  /** Where to go on: an address behind `/_`. */
  readonly to?: string | undefined
}

/** What a provider has a browser bring back. */
export interface ProviderAnswer {
  readonly state: string
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

const ANSWER_PATH = '/_/oidc'
const PARAMETERS = ['state', 'code', 'iss', 'error'] as const

/** Begins a sign-in, and leaves this page for that of the provider. @throws ApiError */
export async function goToProvider(begun: BegunSignIn): Promise<void> {
  const { location: to } = await askApi<{ location: string }>('/oidc/begin', { method: 'POST', json: begun })
  location.assign(to)
}

/**
 * Takes the answer of a provider out of the address bar, and out of the entry in the history, before anything else is done.
 * @returns undefined where there is none
 */
export function takeProviderAnswer({ location, history }: Window): ProviderAnswer | undefined {
  if (location.pathname !== ANSWER_PATH || location.search === '') return undefined
  const given = new URLSearchParams(location.search)
  history.replaceState(history.state, '', ANSWER_PATH)
  const found = PARAMETERS.flatMap((name) => {
    const value = given.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const answer = Object.fromEntries(found) as Partial<ProviderAnswer>
  return answer.state === undefined ? undefined : { ...answer, state: answer.state }
}
