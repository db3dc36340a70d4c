import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '../config.ts'

test('whether sites get certificates is on or off, and belongs to a name', () => {
  const acmeDomain = ['a.example.org']
  const code = 'invalid_configuration'
  assert.throws(() => configFrom({}, { acmeDomain, acmeSites: 'maybe' }), {
    code,
    message: /--acme-sites takes on or off/,
  })
  assert.throws(() => configFrom({}, { acmeSites: 'on' }), { code, message: /give --acme-domain/ })
})

test("ACME is for names in ASCII and lower case, and by default with Let's Encrypt on port 80", () => {
  assert.equal(configFrom({}).acme, undefined)
  assert.deepEqual(
    configFrom({ SHEAF_ACME_DOMAINS: 'A.example.org, b\u00fccher.example,a.example.org' }).acme,
    {
      domains: ['a.example.org', 'xn--bcher-kva.example'],
      directory: 'https://acme-v02.api.letsencrypt.org/directory',
      httpPort: 80,
      sites: true,
    },
  )
  const env = {
    SHEAF_ACME_DIRECTORY: 'https://ca.example.org/acme',
    SHEAF_ACME_HTTP_PORT: '8080',
    SHEAF_ACME_SITES: 'off',
  }
  const args = { acmeDomain: ['a.example.org'], acmeEmail: 'a@example.org' }
  assert.deepEqual(configFrom(env, args).acme, {
    domains: ['a.example.org'],
    email: 'a@example.org',
    directory: 'https://ca.example.org/acme',
    httpPort: 8080,
    sites: false,
  })
})
