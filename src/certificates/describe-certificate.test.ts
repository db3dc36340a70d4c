import assert from 'node:assert/strict'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { describeCertificate } from './describe-certificate.ts'
import { generateKeyPem, selfSignedCertificate } from './self-signed.ts'

test('a certificate is described by its names, its issuer, its dates and the hash of its bytes', async () => {
  const key = createPrivateKey(generateKeyPem())
  const now = Date.UTC(2027, 0, 1)
  const cert = await selfSignedCertificate({ key, hostName: 'db.example.org', now })
  const { fingerprint, ...described } = describeCertificate(cert)
  assert.deepEqual(described, {
    names: ['localhost', 'db.example.org', '127.0.0.1', '0:0:0:0:0:0:0:1'],
    issuer: 'O=Sheaf self-signed, CN=db.example.org',
    // From an hour before, for 825 days less a second.
    validFrom: Date.UTC(2026, 11, 31, 23),
    validTo: Date.UTC(2029, 3, 4, 22, 59, 59),
  })
  const hash = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex')
  assert.equal(fingerprint.replaceAll(':', '').toLowerCase(), hash)
})
