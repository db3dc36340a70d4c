import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { generateKeyPem, selfSignedCertificate } from '../certificates/self-signed.ts'
import { configFrom } from '../config.ts'
import { createQuotaUses } from '../credentials/quota-uses.ts'
import { createLog } from '../http/log/log.ts'
import { openSqliteStore } from '../storage/sqlite/client/store.ts'
import { openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { openHttp } from './open-http.ts'

async function parts(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-service-'))
  openDataFolder(dataDir)
  const config = configFrom({}, { data: dataDir, httpThreads: '2', port: '0', host: '127.0.0.1' })
  const { limits, serviceNames } = config
  const onEnd = (error: unknown): void => assert.fail(String(error))
  const store = await openSqliteStore({
    dataDir,
    limits,
    serviceNames,
    foregroundThreads: 1,
    backgroundThreads: 1,
    onFailure: onEnd,
  })
  const observer = { onRead: () => {}, onWrites: () => {} }
  t.after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const key = generateKeyPem()
  const cert = await selfSignedCertificate({
    key: createPrivateKey(key),
    hostName: 'localhost',
    now: Date.now(),
  })
  const lines: string[] = []
  const log = createLog('warn', (line) => lines.push(line))
  const accounts = { serve: () => {} }
  const sites = { find: async () => undefined }
  const traffic = { take: () => {} }
  const metrics = { read: async () => '', measure: () => {} }
  return {
    parts: {
      config,
      quotaUses: createQuotaUses(),
      store,
      observer,
      accounts,
      traffic,
      metrics,
      tls: { key, cert },
      sites,
      log,
      onEnd,
    },
    lines,
  }
}

test('where threads can not share a port one serves, and the log says so', async (t) => {
  const { parts: here, lines } = await parts(t)
  const service = await openHttp(here, { mayShare: async () => false })
  t.after(() => service.close())
  assert.match(
    lines.join(''),
    /"warn".*HTTP is served by one thread instead of 2, for threads can't share a port/,
  )
  const [answer] = await once(
    get({ host: 'localhost', family: 4, port: service.listening[0]!.port, ca: here.tls.cert }),
    'response',
  )
  assert.equal(answer.statusCode, 401)
  answer.destroy()
})

test('a certificate that can not be used is refused with its code, on threads too', async (t) => {
  const { parts: here } = await parts(t)
  const tls = { key: generateKeyPem(), cert: here.tls.cert }
  await assert.rejects(openHttp({ ...here, tls }), { code: 'invalid_certificate' })
})
