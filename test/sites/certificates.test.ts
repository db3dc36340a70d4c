import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { configFrom } from '../../src/config.ts'
import { startServer } from '../../src/main.ts'
import { openControlFile } from '../../src/storage/sqlite/control/control-file.ts'
import { openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { TestAuthority } from '../acme/authority.ts'
import { createTestCa } from '../acme/test-ca.ts'
import { addSite } from '../add-site.ts'
import { freePort } from '../free-port.ts'
import { addCertificate } from '../self-made-certificate.ts'

/** Nothing tells a client that a server has another certificate. */
const LOOK_MS = 25

/** A data folder that has a site with two versions and a domain. */
async function folderWithSite(t: TestContext): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-sites-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  openDataFolder(dataDir)
  await addCertificate(dataDir)
  const control = await openControlFile(dataDir)
  control.close()
  addSite(dataDir, { slug: 'todo', versions: [1, 2], domains: ['shop.example.org'] })
  return dataDir
}

async function start(t: TestContext, args: Parameters<typeof configFrom>[1]) {
  const config = configFrom({ SHEAF_LOG_LEVEL: 'silent' }, { port: '0', host: '127.0.0.1', ...args })
  const server = await startServer(config, () => {})
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= server.close()
    return closed
  }
  t.after(close)
  const { port } = new URL(server.addresses[0]!)
  return { close, ask: (name: string) => ask(Number(port), name) }
}

/** What a client gets that says this name: the certificate, and the head of the answer. */
async function ask(port: number, servername: string) {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, servername })
  await once(socket, 'secureConnect')
  const { fingerprint256, subjectAltName, publicKey } = socket.getPeerX509Certificate()!
  let head = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    head += chunk
  })
  socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  return { fingerprint256, subjectAltName, publicKey, head }
}

describe('the host of a site', () => {
  for (const httpThreads of ['1', '2'])
    it(`has a self-made certificate of its own on ${httpThreads} HTTP threads, and the same after a restart`, async (t) => {
      const data = await folderWithSite(t)
      const first = await start(t, { data, httpThreads })
      const main = await first.ask('localhost')
      const found = new Map<string, string>()
      for (const host of ['todo.localhost', 'preview-1-todo.localhost', 'shop.example.org']) {
        const [site, ...others] = await Promise.all([1, 2, 3, 4].map(() => first.ask(host)))
        assert.equal(site!.subjectAltName, `DNS:${host}`)
        for (const other of others) assert.equal(other.fingerprint256, site!.fingerprint256)
        assert.ok(site!.publicKey.equals(main.publicKey))
        assert.doesNotMatch(site!.head, /Strict-Transport-Security/)
        found.set(host, site!.fingerprint256)
      }
      for (const host of ['preview-3-todo.localhost', 'b.localhost', 'a.todo.localhost', 'x.example.org'])
        assert.equal((await first.ask(host)).fingerprint256, main.fingerprint256, host)
      await first.close()
      const second = await start(t, { data, httpThreads })
      for (const [host, fingerprint] of found)
        assert.equal((await second.ask(host.toUpperCase())).fingerprint256, fingerprint, host)
      assert.equal(readdirSync(join(data, 'tls', 'sites')).length, 3)
    })

  it("has the operator's certificate for sites where that is for it, and is then HTTPS for good", async (t) => {
    const data = await folderWithSite(t)
    const authority = await createTestCa(Date.now())
    const { cert, key } = await authority.issueWithKey('*.sites.example')
    const [sitesCert, sitesKey] = [join(data, 'sites.pem'), join(data, 'sites-key.pem')]
    writeFileSync(sitesCert, cert)
    writeFileSync(sitesKey, key)
    const { ask } = await start(t, { data, sitesDomain: 'sites.example', sitesCert, sitesKey })
    const { fingerprint256 } = new X509Certificate(cert)
    for (const host of ['todo.sites.example', 'preview-2-todo.sites.example']) {
      const site = await ask(host)
      assert.equal(site.fingerprint256, fingerprint256)
      assert.match(site.head, /Strict-Transport-Security/)
    }
    assert.equal((await ask('shop.example.org')).subjectAltName, 'DNS:shop.example.org')
    const main = await ask('localhost')
    assert.notEqual(main.fingerprint256, fingerprint256)
    assert.doesNotMatch(main.head, /Strict-Transport-Security/)
  })

  it('has one from an authority where the server gets its own there, and one that was made here until then', async (t) => {
    const data = await folderWithSite(t)
    const httpPort = await freePort()
    const { authority, close } = await TestAuthority.start({ httpPort, now: Date.now })
    t.after(close)
    const allowed = Promise.withResolvers<void>()
    authority.behaviour.until = allowed.promise
    const { ask } = await start(t, {
      data,
      sitesDomain: 'sites.example',
      acmeDomain: ['db.example.org'],
      acmeDirectory: authority.directory,
      acmeHttpPort: String(httpPort),
    })
    const before = await ask('todo.sites.example')
    assert.doesNotMatch(before.head, /Strict-Transport-Security/)
    allowed.resolve()
    let site = before
    while (site.fingerprint256 === before.fingerprint256) {
      await wait(LOOK_MS)
      site = await ask('todo.sites.example')
    }
    assert.equal(site.subjectAltName, 'DNS:todo.sites.example')
    assert.match(site.head, /Strict-Transport-Security/)
    assert.equal(
      (await ask('preview-1-todo.sites.example')).subjectAltName,
      'DNS:preview-1-todo.sites.example',
    )
    assert.deepEqual(authority.orders[0]!.names, ['db.example.org'])
  })
})
