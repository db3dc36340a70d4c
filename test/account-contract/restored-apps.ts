import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type KeyRules, UNLIMITED } from '../../src/domain/key-rules.ts'
import type { RestoredKey } from '../../src/storage/account-changes.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const RULES: KeyRules = { ...UNLIMITED, apps: ['shop'] }

function documentsFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-restored-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.sqlite')
  writeFileSync(file, '')
  return file
}

function key(name: string, ...secrets: [seed: string, until: number | null][]): RestoredKey {
  return {
    name,
    rules: RULES,
    createdAt: NOW - 1000,
    secrets: secrets.map(([seed, until]) => ({ hash: hash(seed), until })),
  }
}

export function restoredApps(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: restored apps`, () => {
    it('are not made where their name is taken or there are too many keys, and leave nothing', async (t) => {
      const { store, documents, open: openWith } = await open(t)
      await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      const before = [await store.listAudit({ limit: 10 }), await store.readDirectory(), documents()]
      const app = { slug: 'shop', owner: null, isAutoIndexOn: true }
      const taken = { ...app, slug: 'demo', documents: documentsFile(t), keys: [] }
      await assert.rejects(() => store.createAppFrom(taken, ACTOR), { code: 'app_exists' })
      const few = await openWith({ apps: 10, keys: 1 })
      const many = {
        ...app,
        documents: documentsFile(t),
        keys: [key('one', ['1', null]), key('two', ['2', null])],
      }
      await assert.rejects(() => few.createAppFrom(many, ACTOR), { code: 'too_many_keys' })
      assert.deepEqual(
        [await store.listAudit({ limit: 10 }), await store.readDirectory(), documents()],
        before,
      )
    })

    it('of an account are not made with more keys than it may have, also where each would be left out', async (t) => {
      const { store: first, documents, open: openWith } = await open(t)
      const { id: owner } = await newAccount(first, 'ada')
      const store = await openWith({ apps: 100, keys: 20 })
      const forged = (count: number) => ({
        ...{ slug: 'shop', owner, isAutoIndexOn: true, documents: documentsFile(t) },
        keys: Array.from({ length: count }, () => key('same', ['1', null])),
      })
      await assert.rejects(() => store.createAppFrom(forged(3), ACTOR), { code: 'too_many_keys' })
      assert.deepEqual(documents(), [])
      const { keys } = await store.createAppFrom(forged(2), ACTOR)
      assert.deepEqual(keys, { made: ['same'], renamed: [], leftOut: ['same'] })
    })

    it('come with their keys: under another name where theirs is taken, not where a secret is there', async (t) => {
      const { store, documents } = await open(t)
      await store.createKey({ owner: null, name: 'web', hash: hash('1'), rules: UNLIMITED }, ACTOR)
      const { app, keys } = await store.createAppFrom(
        {
          ...{ slug: 'shop', owner: null, isAutoIndexOn: false, documents: documentsFile(t) },
          keys: [
            key('web', ['2', null], ['3', NOW + 50]),
            key('copy', ['1', null]),
            key('app', ['4', null]),
            key('late', ['5', NOW + 10]),
          ],
        },
        ACTOR,
      )
      assert.deepEqual(keys, {
        made: ['app', 'late'],
        renamed: [{ from: 'web', to: 'web 2' }],
        leftOut: ['copy'],
      })
      assert.deepEqual(documents(), [app.id])
      const listed = (await store.listKeys()).filter(({ name }) => name !== 'web')
      assert.deepEqual(
        listed.map(({ name, secrets, rules, createdAt }) => ({ name, secrets, rules, createdAt })),
        [
          { name: 'app', ...kept(['4', null]) },
          { name: 'late', ...kept(['5', NOW + 10]) },
          { name: 'web 2', ...kept(['2', null], ['3', NOW + 50]) },
        ],
      )
      assert.match((await store.setting('auto_index_off')) ?? '', new RegExp(app.id))
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.subject, line?.app], ['app.create', 'shop', app.id])
      assert.deepEqual(JSON.parse(line!.details), {
        fromBackup: true,
        keys: { made: 2, renamed: 1, leftOut: 1 },
      })
    })
  })
}

function kept(...secrets: [seed: string, until: number | null][]) {
  const { secrets: all, rules, createdAt } = key('any', ...secrets)
  return { secrets: all, rules, createdAt }
}
