import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { loadOrCreateCertificate } from '../../src/certificates/load-or-create-certificate.ts'
import { configFrom } from '../../src/config.ts'
import { startServer } from '../../src/main.ts'
import { freePort } from '../free-port.ts'
import { TestAuthority } from './authority.ts'

/** Nothing tells a client that a server has another certificate. */
const LOOK_MS = 25

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

/** Connects until a condition holds for the certificate that is served; pauses, so as not to slow down what is waited for. */
async function servedOnce(
  address: string,
  isWanted: (certificate: X509Certificate) => boolean,
  servername?: string,
): Promise<X509Certificate> {
  for (;;) {
    const certificate = await servedCertificate(address, servername)
    if (isWanted(certificate)) return certificate
    await wait(LOOK_MS)
  }
}

/** What a client gets that says this name, or none. */
async function servedCertificate(address: string, servername?: string): Promise<X509Certificate> {
  const { hostname, port } = new URL(address)
  const socket = connect({
    host: hostname,
    port: Number(port),
    rejectUnauthorized: false,
    ...(servername !== undefined && { servername }),
  })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()!
  socket.destroy()
  return certificate
}

/** The head of what a client gets that says this name. */
async function headOf(address: string, servername: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, servername })
  socket.setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  return text
}

/** As `curl --cacert tls/cert.pem https://localhost` would. */
async function connectsAsLocalhost({ dataDir }: { dataDir: string }, address: string): Promise<void> {
  const ca = readFileSync(join(dataDir, 'tls', 'cert.pem'))
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), servername: 'localhost', ca })
  await once(socket, 'secureConnect')
  assert.equal(socket.authorized, true)
  socket.destroy()
}

for (const httpThreads of ['1', '2'])
  test(`a server of ${httpThreads} HTTP threads starts with its own certificate, switches to the issued one, and starts with that again`, async (t) => {
    const { authority, config } = await place(t, httpThreads)
    const allowed = Promise.withResolvers<void>()
    authority.behaviour.until = allowed.promise
    const first = await startServer(config, () => {})
    const own = await servedCertificate(first.addresses[0]!)
    assert.match(own.subject, /Sheaf self-signed/)
    assert.doesNotMatch(await headOf(first.addresses[0]!, 'sheaf.example'), /Strict-Transport-Security/)
    allowed.resolve()
    const isAnother = ({ fingerprint256 }: X509Certificate): boolean => fingerprint256 !== own.fingerprint256
    const served = await servedOnce(first.addresses[0]!, isAnother)
    assert.equal(served.subjectAltName, 'DNS:sheaf.example')
    assert.ok(authority.issued(served.toString()))
    await connectsAsLocalhost(config, first.addresses[0]!)
    // Browsers that come by either name: the one has to be able to pass over the warning, the other never meets it.
    assert.match(
      await headOf(first.addresses[0]!, 'sheaf.example'),
      /Strict-Transport-Security: max-age=31536000\r\n/,
    )
    assert.doesNotMatch(await headOf(first.addresses[0]!, 'localhost'), /Strict-Transport-Security/)
    await first.close()
    const second = await startServer(config, () => {})
    t.after(() => second.close())
    assert.equal((await servedCertificate(second.addresses[0]!)).fingerprint256, served.fingerprint256)
    assert.equal(authority.orders.length, 1)
    const [address] = second.addresses
    await connectsAsLocalhost(config, address!)
    for (const [name, expected] of [
      ['LOCALHOST', own],
      ['sheaf.example', served],
      ['localhost.example', served],
      ['other.example', served],
    ] as const)
      assert.equal((await servedCertificate(address!, name)).fingerprint256, expected.fingerprint256, name)
    // The self-made one was replaced beside it: that is for localhost, and leaves the other names alone.
    rmSync(join(config.dataDir, 'tls', 'cert.pem'))
    const { cert } = await loadOrCreateCertificate(config.dataDir, {})
    const localhost = await servedOnce(address!, isAnother, 'localhost')
    assert.equal(localhost.fingerprint256, new X509Certificate(cert).fingerprint256)
    assert.equal((await servedCertificate(address!, 'sheaf.example')).fingerprint256, served.fingerprint256)
  })

test('a server whose authority is down serves on, and stops at once', async (t) => {
  const { authority, config } = await place(t)
  authority.behaviour.down = true
  const server = await startServer(config, () => {})
  assert.match((await servedCertificate(server.addresses[0]!)).subject, /Sheaf self-signed/)
  await server.close()
})

test('a server with a certificate from an authority starts though the self-made one is broken', async (t) => {
  const { config } = await place(t)
  const first = await startServer(config, () => {})
  await servedOnce(first.addresses[0]!, ({ subjectAltName }) => subjectAltName === 'DNS:sheaf.example')
  await first.close()
  rmSync(join(config.dataDir, 'tls', 'key.pem'))
  const second = await startServer(config, () => {})
  t.after(() => second.close())
  const served = await servedCertificate(second.addresses[0]!, 'localhost')
  assert.equal(served.subjectAltName, 'DNS:sheaf.example')
})
