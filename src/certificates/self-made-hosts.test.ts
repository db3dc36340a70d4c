import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadOrCreateCertificate } from './load-or-create-certificate.ts'
import { SelfMadeHosts } from './self-made-hosts.ts'

const DAY_MS = 86_400_000
/** Later than the program was written, or the clock would be taken for wrong. */
const MADE = Date.UTC(2027, 0, 1)

function place(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  mkdirSync(join(dataDir, 'tls'))
  const clock = { now: MADE }
  const told: string[] = []
  const hosts = (most?: number) =>
    new SelfMadeHosts({
      dataDir,
      now: () => clock.now,
      warn: (line) => told.push(line),
      ...(most !== undefined && { most }),
    })
  return { dataDir, folder: join(dataDir, 'tls', 'sites'), clock, told, hosts }
}

describe('a self-made certificate of a host', () => {
  it('is for that host alone, with the key of the certificate for the machine, which stays', async (t) => {
    const { dataDir, folder, hosts } = place(t)
    const main = await loadOrCreateCertificate(dataDir, {})
    const { cert, key } = await hosts().find('todo.localhost')
    const certificate = new X509Certificate(cert)
    assert.equal(certificate.subjectAltName, 'DNS:todo.localhost')
    assert.equal(certificate.subject, 'O=Sheaf self-signed\nCN=todo.localhost')
    assert.equal(key, main.key)
    assert.deepEqual(await loadOrCreateCertificate(dataDir, {}), main)
    const [file] = readdirSync(folder)
    assert.match(file!, /^[0-9a-f]{64}\.pem$/)
    assert.equal(readFileSync(join(folder, file!), 'utf8'), cert)
    assert.equal(statSync(join(folder, file!)).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  it('is the same for all who ask at once, and after a restart', async (t) => {
    const { hosts } = place(t)
    const running = hosts()
    const found = await Promise.all(['a.localhost', 'b.localhost', 'a.localhost'].map((h) => running.find(h)))
    assert.deepEqual(found[0], found[2])
    assert.notEqual(found[0]!.cert, found[1]!.cert)
    assert.deepEqual(await hosts().find('a.localhost'), found[0])
  })

  it('is made anew when less than 30 days are left, for a running server too', async (t) => {
    const { clock, hosts } = place(t)
    const running = hosts()
    const first = await running.find('todo.localhost')
    clock.now = MADE + 794 * DAY_MS
    assert.deepEqual(await running.find('todo.localhost'), first)
    clock.now = MADE + 796 * DAY_MS
    const [second, same] = await Promise.all([1, 2].map(() => running.find('todo.localhost')))
    assert.notEqual(second!.cert, first.cert)
    assert.deepEqual(same, second)
    assert.equal(second!.key, first.key)
    assert.deepEqual(await hosts().find('todo.localhost'), second)
  })

  it('is made anew where what is kept is broken, of another host or of another key', async (t) => {
    const { dataDir, folder, hosts } = place(t)
    const first = await hosts().find('todo.localhost')
    const file = join(folder, readdirSync(folder)[0]!)
    const strange = await new SelfMadeHosts({ dataDir: place(t).dataDir, warn: () => {} }).find(
      'todo.localhost',
    )
    const other = await hosts().find('other.localhost')
    for (const text of ['-----BEGIN', strange.cert, other.cert]) {
      writeFileSync(file, text)
      const { cert, key } = await hosts().find('todo.localhost')
      assert.equal(new X509Certificate(cert).subjectAltName, 'DNS:todo.localhost')
      assert.equal(key, first.key)
    }
    assert.equal(readFileSync(join(dataDir, 'tls', 'key.pem'), 'utf8'), first.key)
  })

  it('can be for a name that is too long to be a common name', async (t) => {
    const host = `${'a'.repeat(63)}.sites.example.org`
    const { cert } = await place(t).hosts().find(host)
    assert.equal(new X509Certificate(cert).subjectAltName, `DNS:${host}`)
  })

  it('is served though it can not be kept, and the log says so', async (t) => {
    const { dataDir, folder, hosts, told } = place(t)
    await loadOrCreateCertificate(dataDir, {})
    const running = hosts()
    await running.find('a.localhost')
    rmSync(folder, { recursive: true })
    const { cert } = await running.find('b.localhost')
    assert.deepEqual((await running.find('b.localhost')).cert, cert)
    assert.match(told.join(), /^the self-made certificate for b\.localhost can't be kept: ENOENT/)
  })

  it('takes the place of the one that was not used longest, where there are too many', async (t) => {
    const { folder, hosts } = place(t)
    const running = hosts(2)
    const [a, b] = [await running.find('a.localhost'), await running.find('b.localhost')]
    await running.find('a.localhost')
    await running.find('c.localhost')
    assert.equal(readdirSync(folder).length, 2)
    const again = hosts(3)
    assert.deepEqual(await again.find('a.localhost'), a)
    assert.notDeepEqual(await again.find('b.localhost'), b)
  })

  it('goes with its host', async (t) => {
    const { folder, hosts } = place(t)
    const running = hosts()
    const kept = await running.find('a.localhost')
    await running.find('b.localhost')
    await running.keepOnly(['a.localhost'])
    assert.equal(readdirSync(folder).length, 1)
    assert.deepEqual(await running.find('a.localhost'), kept)
  })
})
