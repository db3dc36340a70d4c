import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROCESS } from '../../test/account-context.ts'
import { createQuotaUses } from '../credentials/quota-uses.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { AccountsWorker } from './accounts-worker.ts'

test('accounts that can not be tidied are told to the log', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-accounts-worker-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const failed = Promise.withResolvers<unknown>()
  const dataDir = join(folder, 'none', 'there')
  const worker = new AccountsWorker({
    settings: () => ({
      dataDir,
      limits: DEFAULT_LIMITS,
      quotaUses: createQuotaUses(),
      origin: 'https://localhost',
      sitesDomain: 'localhost',
      ownHosts: new Set<string>(),
      backups: undefined,
      webhookHosts: [],
      isSignupOpen: false,
      slowMs: 500,
      isAutoIndexOn: true,
      process: { ...PROCESS, memoryBytes: 0 },
    }),
    onFailure: failed.resolve,
    onFailedBackup: assert.fail,
    onBackups: () => assert.fail(),
    onProblem: assert.fail,
  })
  worker.tidy()
  assert.ok((await failed.promise) instanceof Error)
  await worker.close()
})
