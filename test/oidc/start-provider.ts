import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import Provider, { type Configuration } from 'oidc-provider'
import type { IdentityProviderSettings } from '../../src/domain/identity-provider.ts'
import { selfMadeCertificate } from '../self-made-certificate.ts'

export const CLIENT = { clientId: 'sheaf', clientSecret: 'a secret of the client & its =' } as const

/** Who is at the browser of a test, for the provider. */
export interface ProviderUser {
  readonly id: string
  readonly email?: string
  readonly isEmailVerified?: boolean
  readonly name?: string
}

/** A real OpenID provider, over https on this machine, at which a test says who signs in. */
export interface TestProvider {
  readonly settings: IdentityProviderSettings
  /** Undefined gives a sign-in up. */
  user: ProviderUser | undefined
  /** Everybody who has signed in, by their ids. */
  readonly users: Map<string, ProviderUser>
  /** How often somebody was asked for a password, or whatever it takes. */
  asked: number
  close(): Promise<void>
}

/** Has this process believe the certificate of the provider, as an operator does by `NODE_EXTRA_CA_CERTS`. */
export async function trustTestCertificate(): Promise<void> {
  const { cert } = await selfMadeCertificate()
  setDefaultCACertificates([...getCACertificates('default'), cert])
}

/** @param origin of the dashboard that signs in by it */
export async function startProvider(origin: string, isSignupOpen = false): Promise<TestProvider> {
  const server = createServer(await selfMadeCertificate())
  // Another site than localhost, where the dashboard is.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: TestProvider = {
    settings: { issuer, ...CLIENT, name: 'Test & Co', isSignupOpen },
    user: undefined,
    users: new Map(),
    asked: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const provider = new Provider(issuer, configuration(started, `${origin}/_/oidc`))
  const serve = provider.callback()
  server.on('request', async (message, response) => {
    if (!message.url!.startsWith('/interaction/')) return serve(message, response)
    const { user } = started
    started.asked += 1
    const result = user === undefined ? { error: 'access_denied' } : { login: { accountId: user.id } }
    if (user !== undefined) started.users.set(user.id, user)
    await provider.interactionFinished(message, response, result)
  })
  return started
}

function configuration(started: TestProvider, redirectUri: string): Configuration {
  const client = {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    redirect_uris: [redirectUri],
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [client, { ...client, client_id: 'another' }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of a test'] },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    findAccount: (_context, accountId) => {
      const { id, email, isEmailVerified, name } = started.users.get(accountId)!
      return { accountId, claims: () => ({ sub: id, email, email_verified: isEmailVerified, name }) }
    },
    // Nobody is asked what this client may see.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** A browser as far as the provider can tell: it keeps cookies, and goes where it is sent. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>()

  /** What comes back to the dashboard from there. */
  async follow(location: string): Promise<Record<string, string>> {
    let url = new URL(location)
    for (let redirects = 0; redirects < 10; redirects++) {
      const to = await this.get(url)
      if (to === undefined) break
      url = new URL(to, url)
      if (url.pathname === '/_/oidc') return Object.fromEntries(url.searchParams)
    }
    throw new Error(`the provider leads to ${url.href}`)
  }

  private async get(url: URL): Promise<string | undefined> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = request(url, { headers: { cookie }, agent: false })
    sent.end()
    const [response] = await once(sent, 'response')
    response.resume()
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.cookies.set(name!, value!)
    }
    return response.headers.location
  }
}
