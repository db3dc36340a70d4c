import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { createAppFromBackup } from '../../src/operations/create-app-from-backup.ts'
import { sitesToCollect } from '../../src/sites/to-collect.ts'
import { readApp } from '../../src/storage/sqlite/backup/read-app.ts'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { appFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { hash } from '../account-contract/harness.ts'
import {
  backupOf,
  contentsOf,
  dataFolder,
  deployTo,
  fillApp,
  LIMITS,
  NOW,
  siteOf,
  temporary,
  unzipped,
} from './backup-folder.ts'

const PLACES = [
  {
    name: 'places',
    documents: [
      ['é', '{"_id":"é","n":1.50,"big":123456789012345678901234567890}'],
      [2, '{"_id":2,"n":-0.0,"nested":{"a":[1,"\\u0001",null]}}'],
      [2 ** 60, '{"_id":1152921504606846976,"n":1e2}'],
    ],
    indexes: [
      { fields: 'n', isUnique: true },
      { fields: 'nested.a,_id:-1', isUnique: false },
    ],
  },
  { name: 'empty', documents: [] },
] as const

const SITE_FILE = 'é'.repeat(100_000)

describe('a backup of everything', () => {
  it('becomes the same data folder, with every document as it was, its place, its indexes and the certificate', async (t) => {
    const ids: string[] = []
    const dataDir = await dataFolder(t, async (accounts, folder) => {
      for (const slug of ['demo', 'gone', 'shop']) {
        const app = await accounts.createApp({ slug, owner: null }, 'test')
        ids.push(app.id)
        fillApp(folder, app.id, PLACES)
        if (slug === 'demo')
          await deployTo({ accounts, dataDir: folder, app }, { 'a.html': SITE_FILE, 'b.txt': '' })
      }
      await accounts.deleteApp('gone', 'test')
      await accounts.createKey({ owner: null, name: 'web', hash: hash('1'), rules: UNLIMITED }, 'test')
      writeFileSync(join(folder, 'tls', 'key.pem'), 'the key')
      mkdirSync(join(folder, 'tls', 'acme'))
      writeFileSync(join(folder, 'tls', 'acme', 'journal.json'), '{}')
    })
    const path = await backupOf(t, dataDir)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
    const restored = join(temporary(t), 'restored')
    const told = await restoreFolder({ source: path, dataDir: restored, limits: LIMITS })
    assert.deepEqual(told, {
      ...{ apps: 3, documents: 9, madeAt: new Date(NOW).toISOString() },
      ...{ hasSecrets: true, hasCertificate: true, damagedSites: [] },
    })
    for (const id of ids)
      assert.deepEqual(contentsOf(appFile(restored, id)), contentsOf(appFile(dataDir, id)), id)
    assert.equal(readFileSync(join(restored, 'tls', 'key.pem'), 'utf8'), 'the key')
    assert.equal(readFileSync(join(restored, 'tls', 'acme', 'journal.json'), 'utf8'), '{}')
    assert.deepEqual(siteOf(restored, ids[0]!), siteOf(dataDir, ids[0]!))
    assert.deepEqual(sitesToCollect(restored), [ids[0]])
    assert.deepEqual(readdirSync(join(restored, 'tmp')), [])
    for (const name of ['control.sqlite', 'tls/key.pem', `apps/${ids[0]}.sqlite`])
      assert.equal(statSync(join(restored, name)).mode & 0o777, 0o600, name)
    const [before, after] = [await openAccounts({ dataDir }), await openAccounts({ dataDir: restored })]
    assert.deepEqual(await after.readDirectory(), await before.readDirectory())
    assert.deepEqual(
      (await after.listDeletedApps()).map(({ slug }) => slug),
      ['gone'],
    )
    await before.close()
    await after.close()
  })

  it('is taken from a stream, and into a folder that a killed restore has left', async (t) => {
    const path = await backupOf(t, await dataFolder(t))
    const restored = join(temporary(t), 'restored')
    for (const left of ['tmp/job-killed/apps', 'apps', 'tls/acme'])
      mkdirSync(join(restored, left), { recursive: true })
    await restoreFolder({ source: chunks(readFileSync(path)), dataDir: restored, limits: LIMITS })
    assert.deepEqual(readdirSync(join(restored, 'tmp')), [])
  })

  it('is not restored over anything, nor where a server is', async (t) => {
    const dataDir = await dataFolder(t)
    const path = await backupOf(t, dataDir)
    const inTheWay = ['control.sqlite', 'apps/01A.sqlite', 'tls/acme/journal.json', 'notes.txt']
    for (const name of inTheWay) {
      const folder = temporary(t)
      mkdirSync(join(folder, 'apps'))
      mkdirSync(join(folder, 'tls', 'acme'), { recursive: true })
      writeFileSync(join(folder, name), '')
      const restoring = restoreFolder({ source: path, dataDir: folder, limits: LIMITS })
      await assert.rejects(restoring, {
        code: 'data_folder_unusable',
        message: /a restore takes an empty folder/,
      })
    }
  })

  it('has not a byte of a secret where it is to have none, and keys go on', async (t) => {
    const SECRETS = [
      '$argon2id$v=19$PASSWORD',
      'RECOVERY-HASH',
      'SESSION-HASH',
      'LINK-HASH',
      'BEARER-HASH',
      'SETUP-HASH',
      'PASSKEY-ID',
      'WEBHOOK-SECRET',
      'WEBHOOK-MESSAGE',
      'TODAYS-SALT',
    ]
    const totp = Buffer.from('TOTP-SECRET-OF-ADA')
    let kid = ''
    let tokenSecret = Buffer.alloc(0)
    const dataDir = await dataFolder(t, async (accounts, folder) => {
      const { id } = await accounts.createAccount(
        { email: 'ada@example.org', name: 'Ada', password: SECRETS[0]!, isOperator: true },
        'test',
      )
      const recoveryHashes = [SECRETS[1]!]
      await accounts.enableTotp({ account: id, secret: totp, step: 1, recoveryHashes }, 'test')
      await accounts.createSession({
        way: 'password',
        account: id,
        hash: SECRETS[2]!,
        address: '::1',
        userAgent: 'a',
      })
      await accounts.createLink(
        { purpose: 'reset', account: id, hash: SECRETS[3]!, until: Date.now() + 1e6 },
        'test',
      )
      const token = {
        account: id,
        name: 'ci',
        hash: SECRETS[4]!,
        permissions: [],
        expiresAt: Date.now() + 1e6,
      }
      await accounts.createToken(token, 'test')
      const passkey = {
        account: id,
        host: 'localhost',
        name: 'laptop',
        publicKey: Uint8Array.of(1),
        uses: 0,
        transports: [],
      }
      await accounts.createPasskey({ id: SECRETS[6]!, ...passkey }, 'test')
      await accounts.putSetting('setup_link', JSON.stringify({ hash: SECRETS[5], until: Date.now() + 1e6 }))
      const webhook = {
        action: 'webhook.set',
        subject: 'https://hooks.example.org',
        text: SECRETS[7]!,
      } as const
      await accounts.changeWebhook(webhook, 'test')
      await accounts.putSetting('alert_webhook_queue', SECRETS[8]!)
      await accounts.putSetting('analytics-salt', SECRETS[9]!)
      await accounts.putSetting('backup_outcomes', 'PLAIN-SETTING')
      await accounts.createKey({ owner: null, name: 'web', hash: hash('1'), rules: UNLIMITED }, 'test')
      const [signing] = (await accounts.readDirectory()).tokenSecrets
      kid = signing!.kid
      tokenSecret = Buffer.from(signing!.secret)
      writeFileSync(join(folder, 'tls', 'key.pem'), 'PRIVATE-KEY')
    })
    const all = Buffer.concat([...(await unzipped(await backupOf(t, dataDir))).values()])
    const few = Buffer.concat([
      ...(await unzipped(await backupOf(t, dataDir, { hasSecrets: false }))).values(),
    ])
    for (const secret of [...SECRETS, totp, tokenSecret, kid, 'PRIVATE-KEY']) {
      assert.ok(all.includes(secret), `${secret} is in a backup with secrets`)
      assert.ok(!few.includes(secret), `${secret} is in none without`)
    }
    for (const plain of [hash('1'), 'PLAIN-SETTING']) assert.ok(few.includes(plain), `${plain} is in both`)
    const restored = join(temporary(t), 'restored')
    const path = await backupOf(t, dataDir, { hasSecrets: false })
    const { hasSecrets, hasCertificate } = await restoreFolder({
      source: path,
      dataDir: restored,
      limits: LIMITS,
    })
    assert.deepEqual({ hasSecrets, hasCertificate }, { hasSecrets: false, hasCertificate: false })
    const accounts = await openAccounts({ dataDir: restored })
    const credentials = await accounts.findCredentials({ email: 'ada@example.org' })
    assert.deepEqual(
      [credentials?.password, credentials?.totp, credentials?.recoveryCodes],
      ['', undefined, 0],
    )
    assert.equal((await accounts.readDirectory()).keysByHash.size, 1)
    await accounts.close()
  })
})

describe('a backup of one app', () => {
  it('becomes a new app, with the keys that named it for this app alone', async (t) => {
    let id = ''
    const dataDir = await dataFolder(t, async (accounts, folder) => {
      ;({ id } = await accounts.createApp({ slug: 'demo', owner: null }, 'test'))
      await accounts.createApp({ slug: 'shop', owner: null }, 'test')
      fillApp(folder, id, PLACES)
      const key = (name: string, seed: string, apps: 'all' | string[]) =>
        accounts.createKey({ owner: null, name, hash: hash(seed), rules: { ...UNLIMITED, apps } }, 'test')
      await key('two', '1', ['shop', 'demo'])
      await key('all', '2', 'all')
      await key('other', '3', ['shop'])
    })
    const path = await backupOf(t, dataDir, { app: id })
    assert.deepEqual(
      [...(await unzipped(path)).keys()],
      [`apps/${id}.sqlite`, `apps/${id}.json`, 'manifest.json'],
    )
    const elsewhere = await dataFolder(t)
    const control = await openAccounts({ dataDir: elsewhere })
    const read = await readApp({ path, folder: temporary(t), limits: LIMITS, now: NOW })
    assert.deepEqual([read.collections, read.documents], [2, 3])
    const account = { control, actor: 'test', owner: null, now: () => NOW }
    const { app, keys } = await createAppFromBackup(account, { slug: 'again', read })
    assert.deepEqual(keys, { made: ['two'], renamed: [], leftOut: [] })
    assert.deepEqual(
      (await control.listKeys()).map(({ name, rules }) => [name, rules.apps]),
      [['two', ['again']]],
    )
    assert.deepEqual(contentsOf(appFile(elsewhere, app.id)), contentsOf(appFile(dataDir, id)))
    await control.close()
    await assert.rejects(
      restoreFolder({ source: path, dataDir: join(temporary(t), 'new'), limits: LIMITS }),
      {
        code: 'invalid_backup',
        message: /a backup of one app/,
      },
    )
  })

  it('is taken out of one of everything by its name', async (t) => {
    const dataDir = await dataFolder(t, async (accounts) => {
      for (const slug of ['demo', 'shop']) await accounts.createApp({ slug, owner: null }, 'test')
    })
    const path = await backupOf(t, dataDir)
    const read = (from?: string) => readApp({ path, folder: temporary(t), from, limits: LIMITS, now: NOW })
    assert.equal((await read('shop')).slug, 'shop')
    await assert.rejects(read(), { code: 'invalid_request', message: /several apps/ })
    await assert.rejects(read('../demo'), { code: 'app_not_found' })
  })
})

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 1000) yield bytes.subarray(from, from + 1000)
}
