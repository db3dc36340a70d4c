import assert from 'node:assert/strict'
import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { configFrom } from '../../src/config.ts'
import { startServer } from '../../src/main.ts'
import { TestAuthority } from './authority.ts'
import { freePort } from './free-port.ts'

async function place(t: TestContext, httpThreads = '1') {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-acme-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const httpPort = await freePort()
  const { authority, close } = await TestAuthority.start({ httpPort, now: Date.now })
  t.after(close)
  const config = configFrom(
    { SHEAF_LOG_LEVEL: 'silent' },
    {
      data: dataDir,
      port: '0',
      host: '127.0.0.1',
      acmeDomain: ['sheaf.example'],
      acmeDirectory: authority.directory,
      acmeHttpPort: String(httpPort),
      httpThreads,
    },
  )
  return { authority, config }
}

async function servedCertificate(address: string): Promise<X509Certificate> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()!
  socket.destroy()
  return certificate
}

for (const httpThreads of ['1', '2'])
  test(`a server of ${httpThreads} HTTP threads starts with its own certificate, switches to the issued one, and starts with that again`, async (t) => {
    const { authority, config } = await place(t, httpThreads)
    const allowed = Promise.withResolvers<void>()
    authority.behaviour.until = allowed.promise
    const first = await startServer(config)
    const own = await servedCertificate(first.addresses[0]!)
    assert.match(own.subject, /Sheaf self-signed/)
    allowed.resolve()
    let served = own
    while (served.fingerprint256 === own.fingerprint256) served = await servedCertificate(first.addresses[0]!)
    assert.equal(served.subjectAltName, 'DNS:sheaf.example')
    assert.ok(authority.issued(served.toString()))
    await first.close()
    const second = await startServer(config)
    t.after(() => second.close())
    assert.equal((await servedCertificate(second.addresses[0]!)).fingerprint256, served.fingerprint256)
    assert.equal(authority.orders.length, 1)
  })

test('a server whose authority is down serves on, and stops at once', async (t) => {
  const { authority, config } = await place(t)
  authority.behaviour.down = true
  const server = await startServer(config)
  assert.match((await servedCertificate(server.addresses[0]!)).subject, /Sheaf self-signed/)
  await server.close()
})
