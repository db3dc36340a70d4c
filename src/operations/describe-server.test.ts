import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openAccountContext, PROCESS, serverFacts } from '../../test/account-context.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { CertificateFacts } from '../domain/server-facts.ts'
import { openAccounts } from '../storage/sqlite/control/open-accounts.ts'
import { appFile, controlFile, openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { measureStorage } from '../storage/sqlite/files/measure-storage.ts'
import { describeServer } from './describe-server.ts'
import { describeSession } from './describe-session.ts'

const COMMAND_LINE = { kind: 'command-line', actor: 'cli:ada' } as const

describe('what operators are told of the server', () => {
  it('is told to nobody else, and has times as text', async (t) => {
    const test = await openAccountContext()
    t.after(() => test.close())
    const certificate: CertificateFacts = {
      ...{ source: 'files', names: ['db.example.org'], issuer: 'CN=R13', fingerprint: 'AB:CD' },
      ...{ validFrom: 0, validTo: Date.UTC(2027, 0, 1) },
    }
    const { server } = test.context
    const context = { ...test.context, server: { ...server, certificates: () => [certificate] } }
    await test.addAccount('ada', { isOperator: true })
    await test.addAccount('bob')
    const { caller: guest } = await test.enter('bob@example.org')
    await assert.rejects(describeServer(context, guest), { code: 'permission_denied' })
    const { caller } = await test.enter('ada@example.org')
    const { process, certificates } = await describeServer(context, caller)
    assert.deepEqual(process, { ...PROCESS, startedAt: '2026-11-28T00:00:00.000Z' })
    assert.deepEqual(certificates, [
      { ...certificate, validFrom: '1970-01-01T00:00:00.000Z', validTo: '2027-01-01T00:00:00.000Z' },
    ])
  })

  it('has the sizes of files, the 20 largest apps of all with their owners, and deleted ones among them', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-sizes-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    openDataFolder(dataDir)
    const accounts = await openAccounts({ dataDir })
    t.after(() => accounts.close())
    const bob = { email: 'bob@example.org', name: 'Bob', password: 'x', isOperator: false }
    const { id: owner } = await accounts.createAccount(bob, 'test')
    const sizeOf = async (slug: string, bytes: number): Promise<string> => {
      const { id } = await accounts.createApp({ slug, owner: slug === 'big' ? owner : null }, 'test')
      truncateSync(appFile(dataDir, id), bytes)
      return id
    }
    for (let number = 1; number <= 20; number += 1) await sizeOf(`app-${number}`, 1_000_000 + number)
    const small = await sizeOf('small', 1_000_000)
    await sizeOf('big', 9_000_000)
    await accounts.deleteApp('big', 'test')
    writeFileSync(`${appFile(dataDir, small)}-wal`, Buffer.alloc(2_000_000))
    writeFileSync(appFile(dataDir, 'OF-NO-APP'), 'x')
    const server = serverFacts(dataDir)
    const { storage } = await describeServer({ accounts, server, limits: DEFAULT_LIMITS }, COMMAND_LINE)
    const { freeBytes, diskBytes, control, apps, largestApps } = storage
    assert.ok(freeBytes > 0 && freeBytes < diskBytes)
    assert.deepEqual(control, {
      bytes: statSync(controlFile(dataDir)).size,
      walBytes: statSync(`${controlFile(dataDir)}-wal`).size,
    })
    // 1 + … + 20 is 210.
    assert.deepEqual(apps, { count: 23, bytes: 30_000_211, walBytes: 2_000_000 })
    assert.equal(largestApps.length, 20)
    assert.deepEqual(largestApps.slice(0, 3), [
      { bytes: 9_000_000, walBytes: 0, slug: 'big', owner: 'bob@example.org', isDeleted: true },
      { bytes: 1_000_000, walBytes: 2_000_000, slug: 'small', owner: null, isDeleted: false },
      { bytes: 1_000_020, walBytes: 0, slug: 'app-20', owner: null, isDeleted: false },
    ])
  })

  it('has how near the disk is to being full, which a session tells operators, too, and nobody else', async (t) => {
    const test = await openAccountContext()
    t.after(() => test.close())
    const full = { freeBytes: 1_000_000, diskBytes: 500_000_000_000 }
    const server = {
      ...test.context.server,
      disk: async () => full,
      storage: async () => ({ ...(await test.context.server.storage()), ...full }),
    }
    const context = { ...test.context, server }
    assert.equal((await describeServer(context, COMMAND_LINE)).storage.level, 'critical')
    await test.addAccount('ada', { isOperator: true })
    await test.addAccount('bob')
    const { caller } = await test.enter('ada@example.org')
    assert.deepEqual((await describeSession(context, caller)).disk, { ...full, level: 'critical' })
    const { caller: guest } = await test.enter('bob@example.org')
    assert.equal((await describeSession(context, guest)).disk, undefined)
    const broken = { ...server, disk: () => Promise.reject(new Error('EIO')) }
    assert.equal((await describeSession({ ...context, server: broken }, caller)).disk, undefined)
  })

  it('is an error where the folder can not be looked at', async () => {
    await assert.rejects(measureStorage(join(tmpdir(), 'sheaf-of-nobody')), { code: 'store_unavailable' })
  })
})
