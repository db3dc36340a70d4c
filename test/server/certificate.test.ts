import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { generateKeyPem, selfSignedCertificate } from '../../src/certificates/self-signed.ts'
import { temporaryFolder } from '../cli/run-sheaf.ts'
import { type ServerProcess, startServer } from './start-server.ts'

let server: ServerProcess
before(async () => {
  server = await startServer({ env: { SHEAF_LOG_LEVEL: 'info' } })
})
after(() => server?.dispose())

async function newPair(now = Date.now()): Promise<{ key: string; cert: string }> {
  const key = generateKeyPem()
  const cert = await selfSignedCertificate({
    key: createPrivateKey(key),
    hostName: 'localhost',
    now,
  })
  return { key, cert }
}

/** Puts a file in its place as a tool for certificates does, by renaming. */
function replace(name: 'cert.pem' | 'key.pem', text: string): void {
  const file = join(server.folder, 'tls', name)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** The certificate that a new connection gets, by its fingerprint. */
async function served(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerX509Certificate()!
  socket.destroy()
  return fingerprint256
}

/** Does something, and waits until the server says that it serves what came of it. */
async function isTakenUp(act: () => Promise<void>): Promise<void> {
  const said = server.log.length
  await act()
  await server.logged('the TLS certificate was replaced', said)
}

function fingerprint({ cert }: { cert: string }): string {
  return new X509Certificate(cert).fingerprint256
}

describe('a certificate that is replaced while the server runs', () => {
  it('is served to new connections; those that are open go on', async () => {
    const open = await server.client.connect()
    const pair = await newPair()
    await isTakenUp(async () => {
      replace('cert.pem', pair.cert)
      // The key comes late: until then the two do not belong together, and nothing is said.
      await served()
      replace('key.pem', pair.key)
    })
    assert.equal(await served(), fingerprint(pair))
    open.write(server.client.written('GET', '/'))
    const [answer] = (await once(open, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 OK/)
    open.destroy()
    assert.doesNotMatch(server.log, /not used/)
  })

  it('and is broken leaves the old one where it is, and says so once', async () => {
    const before = await served()
    for (const [name, text] of [
      ['cert.pem', 'no certificate'],
      ['key.pem', (await newPair()).key],
    ] as const) {
      const said = server.log.length
      replace(name, text)
      await server.logged('is not used', said)
      assert.equal(await served(), before)
    }
    assert.equal(server.log.match(/the new TLS certificate is not used, the old one stays: /g)?.length, 2)
  })

  it('and is mended is served', async () => {
    const pair = await newPair()
    await isTakenUp(async () => {
      replace('key.pem', pair.key)
      replace('cert.pem', pair.cert)
    })
    assert.equal(await served(), fingerprint(pair))
  })
})

describe('a self-made certificate that has ended', () => {
  it('is made anew at the start, and while the server runs, and the log says so', async (t) => {
    const folder = temporaryFolder(t)
    const ended = await newPair(Date.UTC(2020, 0, 1))
    mkdirSync(join(folder, 'tls'))
    const put = (): void => {
      for (const [name, text] of [
        ['key.pem', ended.key],
        ['cert.pem', ended.cert],
      ] as const)
        writeFileSync(join(folder, 'tls', name), text)
    }
    put()
    const server = await startServer({ folder })
    t.after(() => server.dispose())
    const made = 'and was made anew'
    const line =
      /"msg":"the self-made certificate ended on Apr {2}4 22:59:59 2022 GMT, and was made anew: [^"]*"/g
    const said = (): number => `${server.greeting}${server.log}`.match(line)?.length ?? 0
    // All that was told by the time that it served is in the greeting.
    if (said() === 0) await server.logged(made)
    assert.equal(said(), 1)
    assert.equal((await server.client.send('GET', '/')).status, 200)
    const before = server.log.length
    put()
    await server.logged(made, before)
    assert.equal(said(), 2)
    const { validTo } = new X509Certificate(readFileSync(join(folder, 'tls', 'cert.pem')))
    assert.ok(Date.parse(validTo) > Date.now())
  })
})

describe('TLS', () => {
  it('below 1.2 is not spoken, nor any suite without forward secrecy', async () => {
    for (const options of [
      { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-SHA' },
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' },
    ] as const) {
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ...options })
      const [error] = (await once(socket, 'error')) as [Error]
      assert.match(String(error), /protocol|handshake|alert|no ciphers|ECONNRESET/i)
    }
    const socket = connect({
      host: '127.0.0.1',
      port: server.port,
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
    })
    await once(socket, 'secureConnect')
    assert.match(socket.getCipher().name, /^ECDHE-ECDSA-(AES\d+-GCM|CHACHA20)/)
    socket.destroy()
  })
})
