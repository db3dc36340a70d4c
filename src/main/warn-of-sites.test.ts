import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { generateKeyPem, selfSignedHostCertificate } from '../certificates/self-signed.ts'
import { configFrom } from '../config.ts'
import { warnOfSites } from './warn-of-sites.ts'

const key = createPrivateKey(generateKeyPem())
const certificate = (host: string) => selfSignedHostCertificate({ key, host, now: Date.now() })
const wildcard = await certificate('*.sites.example.net')

async function warningsOf(
  args: Parameters<typeof configFrom>[1],
  certificates = [wildcard],
): Promise<string[]> {
  const lines: string[] = []
  await warnOfSites(configFrom({}, args), { certificates, log: { warn: (line) => lines.push(line) } })
  return lines
}

describe('a start warns of sites', () => {
  it('that share a registered domain with the server', async () => {
    for (const [args, shared] of [
      [{ publicUrl: 'https://db.example.net' }, 'example.net'],
      [{ publicUrl: 'https://example.net:8443' }, 'example.net'],
      [{ host: 'db.example.net' }, 'example.net'],
      [{ acmeDomain: ['db.example.net'] }, 'example.net'],
      [{ publicUrl: 'https://db.example.org' }, undefined],
      [{ publicUrl: 'https://192.0.2.1' }, undefined],
      [{}, undefined],
    ] as const) {
      const [warning, ...others] = await warningsOf({ ...args, sitesDomain: 'sites.example.net' })
      assert.deepEqual(others, [])
      assert.equal(/share the domain (\S+):/.exec(warning ?? '')?.[1], shared, JSON.stringify(args))
    }
    const ofDifferentOwners = { publicUrl: 'https://a.github.io', sitesDomain: 'b.github.io' }
    assert.deepEqual(await warningsOf(ofDifferentOwners, [await certificate('*.b.github.io')]), [])
  })

  it('that no certificate is for', async () => {
    const sitesDomain = 'sites.example.net'
    const [warning] = await warningsOf({ sitesDomain }, [await certificate('sites.example.net')])
    assert.match(warning!, /^no certificate is for the names below sites\.example\.net/)
    assert.deepEqual(await warningsOf({ sitesDomain, acmeDomain: ['db.example.org'] }, []), [])
    const off = { sitesDomain, acmeDomain: ['db.example.org'], acmeSites: 'off' }
    assert.equal((await warningsOf(off, [])).length, 1)
  })

  it('not where they are of this machine, or there are none', async () => {
    const publicUrl = 'https://app.localhost'
    for (const sitesDomain of ['localhost', 'sites.localhost', 'off'])
      assert.deepEqual(await warningsOf({ publicUrl, sitesDomain }, []), [])
  })
})
