import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadOrCreateCertificate } from './load-or-create-certificate.ts'
import { selfSignedCertificate } from './self-signed.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 0, 1)
const HERE = { now: NOW, hostName: 'Box-7.example.org' }

interface Folder {
  dataDir: string
  certFile: string
  keyFile: string
}

function dataFolder(t: TestContext): Folder {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  mkdirSync(join(dataDir, 'tls'))
  return { dataDir, certFile: join(dataDir, 'tls', 'cert.pem'), keyFile: join(dataDir, 'tls', 'key.pem') }
}

function isRefused(work: () => Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(work, (error: Error & { code: string }) => {
    assert.equal(error.code, 'invalid_certificate')
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /\n|BEGIN/)
    return true
  })
}

test('a certificate of the operator that is missing, broken, foreign to its key or expired is refused', async (t) => {
  const { dataDir, certFile, keyFile } = dataFolder(t)
  const own = { tlsCert: certFile, tlsKey: keyFile }
  const load = () => loadOrCreateCertificate(dataDir, own, HERE)
  await isRefused(load, /there is no certificate at .*cert\.pem/)
  const { cert, key } = await loadOrCreateCertificate(dataDir, {}, HERE)
  assert.deepEqual(await load(), { cert, key })
  writeFileSync(certFile, '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n')
  await isRefused(load, /cert\.pem is not a certificate in PEM/)
  writeFileSync(certFile, '')
  await isRefused(load, /cert\.pem is not a certificate in PEM/)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, 'nothing')
  await isRefused(load, /key\.pem is not a private key in PEM/)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await isRefused(load, /the private key in .*key\.pem does not belong to the certificate in .*cert\.pem/)
  const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
  writeFileSync(keyFile, privateKey.export(locked))
  await isRefused(load, /key\.pem is encrypted/)
  rmSync(keyFile)
  await isRefused(load, /there is no private key at .*key\.pem/)
  mkdirSync(keyFile)
  await isRefused(load, /key\.pem can't be read/)
  rmSync(keyFile, { recursive: true })
  writeFileSync(keyFile, key)
  await isRefused(
    () => loadOrCreateCertificate(dataDir, own, { ...HERE, now: NOW + 826 * DAY_MS }),
    /expired on .*2028 GMT; renew it/,
  )
  assert.equal(readFileSync(certFile, 'utf8'), cert, "an operator's file was written to")
})

test('a folder for certificates that can not be written is refused in one line', async (t) => {
  const { dataDir } = dataFolder(t)
  rmSync(join(dataDir, 'tls'), { recursive: true })
  writeFileSync(join(dataDir, 'tls'), '')
  await isRefused(() => loadOrCreateCertificate(dataDir, {}, HERE), /key\.pem can't be|cert\.pem can't be/)
})

test('the first start makes a pair that only its owner can read', async (t) => {
  const { dataDir, certFile, keyFile } = dataFolder(t)
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const pair = await loadOrCreateCertificate(dataDir, {}, HERE)
  assert.deepEqual(readdirSync(join(dataDir, 'tls')).sort(), ['cert.pem', 'key.pem'])
  for (const file of [certFile, keyFile]) assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }, pair)
})

test('the certificate is for this machine, on P-256, 825 days long, and no authority', async (t) => {
  const certificate = new X509Certificate(
    (await loadOrCreateCertificate(dataFolder(t).dataDir, {}, HERE)).cert,
  )
  assert.equal(
    certificate.subjectAltName,
    'DNS:localhost, DNS:box-7.example.org, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  )
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  assert.equal(certificate.validFrom, 'Dec 31 23:00:00 2025 GMT')
  assert.equal(certificate.validTo, 'Apr  4 22:59:59 2028 GMT')
  assert.equal(certificate.ca, false)
  assert.ok(certificate.verify(certificate.publicKey))
  for (const name of ['localhost', 'box-7.example.org']) assert.equal(certificate.checkHost(name), name)
  for (const address of ['127.0.0.1', '::1']) assert.equal(certificate.checkIP(address), address)
  assert.equal(certificate.checkHost('example.org'), undefined)
})

test('a host name that is no DNS name, or is localhost, is left out', async (t) => {
  for (const hostName of ['', 'my box', 'é', 'localhost', '10.0.0.7', '-', 'a..b', 'x'.repeat(300)]) {
    const { cert } = await loadOrCreateCertificate(dataFolder(t).dataDir, {}, { now: NOW, hostName })
    const names = new X509Certificate(cert).subjectAltName
    assert.equal(names, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1', hostName)
  }
})

test('a time after 2049 is written as the standard wants it', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const cert = await selfSignedCertificate({ key: privateKey, hostName: 'box', now: Date.UTC(2049, 0, 1) })
  assert.equal(new X509Certificate(cert).validTo, 'Apr  5 22:59:59 2051 GMT')
})

test('later starts use the same pair, until 30 days are left; then the key stays', async (t) => {
  const { dataDir, keyFile } = dataFolder(t)
  const first = await loadOrCreateCertificate(dataDir, {}, HERE)
  const told: string[] = []
  const warn = (message: string): void => void told.push(message)
  const at = (days: number) =>
    loadOrCreateCertificate(dataDir, {}, { ...HERE, now: NOW + days * DAY_MS, warn })
  assert.deepEqual(await at(794), first)
  const second = await at(795)
  assert.notEqual(second.cert, first.cert)
  assert.equal(second.key, first.key)
  assert.equal(readFileSync(keyFile, 'utf8'), first.key)
  assert.equal(new X509Certificate(second.cert).validTo, 'Jun  8 22:59:59 2030 GMT')
  assert.deepEqual(await at(796), second)
  assert.deepEqual(told, [
    'the self-made certificate ends on Apr  4 22:59:59 2028 GMT, and was made anew: clients that keep a copy of it, such as --cacert, need the new one',
  ])
  assert.notEqual((await at(5000)).cert, second.cert, 'one that has expired is renewed too')
})

test('a pair that was made while the clock was ahead is made anew, but not for a clock that is behind', async (t) => {
  const { dataDir } = dataFolder(t)
  const now = Date.UTC(2027, 0, 1)
  const at = (days: number) => loadOrCreateCertificate(dataDir, {}, { ...HERE, now: now + days * DAY_MS })
  const ahead = await at(1000)
  assert.deepEqual(await at(-1000), ahead)
  const right = await at(0)
  assert.equal(right.key, ahead.key)
  assert.equal(new X509Certificate(right.cert).validFrom, 'Dec 31 23:00:00 2026 GMT')
  assert.deepEqual(await at(1), right)
})

test('a start that was killed between key and certificate is finished by the next', async (t) => {
  const { dataDir, certFile } = dataFolder(t)
  const { key } = await loadOrCreateCertificate(dataDir, {}, HERE)
  rmSync(certFile)
  writeFileSync(`${certFile}.new`, 'half a certifi')
  chmodSync(`${certFile}.new`, 0o644)
  const again = await loadOrCreateCertificate(dataDir, {}, HERE)
  assert.equal(again.key, key)
  assert.ok(new X509Certificate(again.cert).checkPrivateKey(createPrivateKey(key)))
  assert.equal(existsSync(`${certFile}.new`), false)
  assert.equal(statSync(certFile).mode & 0o777, 0o600)
})

test('a lost or foreign key beside a certificate is refused and nothing is overwritten', async (t) => {
  const { dataDir, certFile, keyFile } = dataFolder(t)
  const { cert } = await loadOrCreateCertificate(dataDir, {}, HERE)
  const load = () => loadOrCreateCertificate(dataDir, {}, HERE)
  rmSync(keyFile)
  await isRefused(load, /key\.pem is missing; put it back, or remove cert\.pem too/)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsa = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  writeFileSync(keyFile, rsa)
  await isRefused(load, /does not belong/)
  rmSync(certFile)
  await isRefused(load, /there is no .*cert\.pem for the private key beside it/)
  assert.equal(readFileSync(keyFile, 'utf8'), rsa)
  writeFileSync(certFile, cert)
})

test('a client that trusts the certificate alone connects by every name', async (t) => {
  const pair = await loadOrCreateCertificate(dataFolder(t).dataDir, {}, { now: Date.now(), hostName: 'box' })
  const server = createServer(pair, (_request, response) => response.end('hello'))
  t.after(() => server.close())
  await once(server.listen(0, '::'), 'listening')
  const { port } = server.address() as AddressInfo
  for (const [host, servername] of [
    ['127.0.0.1', 'localhost'],
    ['127.0.0.1', 'box'],
    ['127.0.0.1', ''],
    ['::1', ''],
  ]) {
    const request = get({ host, port, ca: pair.cert, agent: false, ...(servername && { servername }) })
    const [response] = await once(request, 'response')
    assert.equal(response.statusCode, 200)
    response.resume()
  }
  const stranger = get({ host: '127.0.0.1', port, agent: false })
  await assert.rejects(once(stranger, 'response'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})
