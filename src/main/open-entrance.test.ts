import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configFrom } from '../config.ts'
import { createLog } from '../http/log.ts'
import { generateKeyPem, selfSignedCertificate } from '../http/self-signed.ts'
import { openDataFolder } from '../storage/sqlite/data-folder.ts'
import { openSqliteStore } from '../storage/sqlite/store.ts'
import { openEntrance } from './open-entrance.ts'

test('where threads can not share a port one serves, and the log says so', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-entrance-'))
  openDataFolder(dataDir)
  const config = configFrom({}, { data: dataDir, httpThreads: '2', port: '0', host: '127.0.0.1' })
  const { limits, serviceNames } = config
  const fail = (error: unknown): void => assert.fail(String(error))
  const store = await openSqliteStore({
    dataDir,
    limits,
    serviceNames,
    scanThreads: 1,
    onFailure: fail,
  })
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
  const parts = { config, store, tls: { key, cert }, log, onEnd: fail }
  const entrance = await openEntrance(parts, { mayShare: async () => false })
  t.after(() => entrance.close())
  assert.match(
    lines.join(''),
    /"warn".*HTTP is served by one thread instead of 2, for threads can't share a port/,
  )
  const [answer] = await once(
    get({ host: 'localhost', family: 4, port: entrance.listening[0]!.port, ca: cert }),
    'response',
  )
  assert.equal(answer.statusCode, 401)
  answer.destroy()
})
