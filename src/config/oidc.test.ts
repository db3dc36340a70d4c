import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ConfigArgs, configFrom } from '../config.ts'

function refused(env: Record<string, string>, args: ConfigArgs, message: RegExp): void {
  assert.throws(() => configFrom(env, args), { code: 'invalid_configuration', message })
}

test('a provider to sign in by is given whole, over https, with where it sends browsers back to', (t) => {
  assert.equal(configFrom({}).identityProvider, undefined)
  const whole = {
    SHEAF_PUBLIC_URL: 'https://db.example.org',
    SHEAF_OIDC_ISSUER: 'https://login.example.org/realms/team',
    SHEAF_OIDC_CLIENT_ID: 'sheaf',
    SHEAF_OIDC_CLIENT_SECRET: 'secret',
  }
  const { identityProvider } = configFrom(whole, { oidcSignUp: 'on' })
  assert.deepEqual(identityProvider, {
    issuer: 'https://login.example.org/realms/team',
    clientId: 'sheaf',
    clientSecret: 'secret',
    name: 'login.example.org',
    isSignupOpen: true,
  })
  assert.equal(configFrom(whole).identityProvider?.isSignupOpen, false)
  for (const [without, message] of [
    ['SHEAF_OIDC_ISSUER', /give --oidc-issuer/],
    ['SHEAF_OIDC_CLIENT_ID', /give --oidc-client-id/],
    ['SHEAF_OIDC_CLIENT_SECRET', /give --oidc-client-secret-file/],
    ['SHEAF_PUBLIC_URL', /give --public-url/],
  ] as const)
    refused({ ...whole, [without]: '' }, {}, message)
  for (const oidcIssuer of [
    'login.example.org',
    'http://login.example.org',
    'https://ada@login.example.org',
    'https://login.example.org/?a',
    'https://login.example.org/#a',
    'https://login.example.org/.well-known/openid-configuration',
  ])
    refused(whole, { oidcIssuer }, /is no issuer/)
  refused(whole, { oidcName: ' ' }, /no name for a button/)
  refused(whole, { oidcName: 'a'.repeat(41) }, /no name for a button/)
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const oidcClientSecretFile = join(folder, 'secret')
  refused({ ...whole, SHEAF_OIDC_CLIENT_SECRET: '' }, { oidcClientSecretFile }, /can't be read/)
  writeFileSync(oidcClientSecretFile, 'of a file\n')
  refused(whole, { oidcClientSecretFile }, /two ways to a secret/)
  const ofFile = configFrom({ ...whole, SHEAF_OIDC_CLIENT_SECRET: '' }, { oidcClientSecretFile })
  assert.equal(ofFile.identityProvider?.clientSecret, 'of a file')
})
