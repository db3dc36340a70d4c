import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AppSettings, NO_SETTINGS, SETTINGS } from '../../src/domain/app-settings.ts'
import type { AppRecord } from '../../src/storage/store.ts'
import { ACTOR, newAccount, type OpenTestAccounts } from './harness.ts'

const RATE = { requests: 5, perMs: 1000 }

export function appSettings(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: settings of an app`, () => {
    it('that can not be read let nothing in and are told of, whatever stands there, and hide no other app', async (t) => {
      const { store, run } = await open(t)
      for (const slug of ['demo', 'shop']) await store.createApp({ slug, owner: null }, ACTOR)
      const texts: readonly (readonly [text: string, damaged: readonly string[]])[] = [
        ['', SETTINGS],
        ['{', SETTINGS],
        ['null', SETTINGS],
        ['[]', SETTINGS],
        // A limit of which nothing is known.
        ['{"rate":null,"countries":["AT"]}', SETTINGS],
        ['{"addresses":"none"}', ['addresses']],
        ['{"rate":{"requests":0,"perMs":1000},"localhost":1}', ['localhost', 'rate']],
        ['{"documentBytes":-1,"keyDefaults":{"apps":"all"}}', ['documentBytes', 'keyDefaults']],
        ['{"keyDefaults":null}', ['keyDefaults']],
      ]
      for (const [text, damaged] of texts) {
        await run(`UPDATE apps SET settings = '${text}' WHERE slug = 'demo'`)
        const { apps, damages } = await store.readDirectory()
        const { damage, settings } = apps.get('demo')!
        assert.equal(damage, `${damaged.join(', ')} can't be read`, text)
        for (const [name, closed] of Object.entries({ addresses: [], localhost: false, documentBytes: 1 }))
          if (damaged.includes(name)) assert.deepEqual(settings?.[name as keyof AppSettings], closed)
        assert.equal(damages.length, 1)
        assert.match(damages[0]!, /^the app "demo" lets no key in: .*"sheaf app update" or its page Security/)
        assert.deepEqual([apps.get('shop')?.damage, apps.get('shop')?.settings], [undefined, undefined])
      }
    })

    it('are mended by giving anew what can not be read, and by nothing less', async (t) => {
      const { store, run } = await open(t)
      const created = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      await run(`UPDATE apps SET settings = '{"addresses":7,"rate":7,"documentBytes":9}'`)
      const change = (settings: Partial<AppSettings>) =>
        store.updateAppSettings({ app: created, settings }, ACTOR)
      await assert.rejects(change({ rate: null, localhost: false }), {
        code: 'invalid_rule',
        message: 'the app "demo" has settings that can\'t be read; give these anew: addresses',
      })
      const mended = await change({ rate: RATE, addresses: ['10.0.0.0/8'] })
      const expected = { ...NO_SETTINGS, documentBytes: 9, rate: RATE, addresses: ['10.0.0.0/8'] }
      assert.deepEqual([mended.settings, mended.damage], [expected, undefined])
      const { apps, damages } = await store.readDirectory()
      assert.deepEqual([apps.get('demo'), damages], [mended, []])
    })

    it('are those of one app, told in the audit trail, and gone where nothing is set any more', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      assert.equal(app.settings, undefined)
      await assert.rejects(store.updateAppSettings({ app: { ...app, id: 'x' }, settings: {} }, ACTOR), {
        code: 'app_not_found',
      })
      const websites = Array.from({ length: 25 }, (_, index) => `w${index}.example.com`)
      const settings = { websites, rate: RATE, keyDefaults: { permission: 'read' } }
      await store.updateAppSettings({ app, settings }, ACTOR)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.action, line?.subject, line?.app, JSON.parse(line!.details)],
        [
          'app.settings',
          'demo',
          app.id,
          {
            websites: [...websites.slice(0, 20), '… and 5 more'],
            rate: RATE,
            keyDefaults: { permission: 'read' },
          },
        ],
      )
      const lifted = await store.updateAppSettings(
        { app, settings: { websites: 'all', rate: null, keyDefaults: {} } },
        ACTOR,
      )
      assert.deepEqual(lifted, app)
    })

    it('count with the rules of all keys, so that no account makes everybody read too much', async (t) => {
      const { store } = await open(t)
      const { id: owner } = await newAccount(store, 'ada')
      const addresses = Array.from({ length: 1000 }, (_, n) => `2001:db8:1234:5678:9abc:def0:${n}:1/128`)
      const websites = Array.from({ length: 1000 }, (_, n) => `${n}.${'x'.repeat(60)}.example.com`)
      const apps: AppRecord[] = []
      for (const slug of ['a', 'b', 'c']) apps.push(await store.createApp({ slug, owner }, ACTOR))
      const set = (index: number) =>
        store.updateAppSettings({ app: apps[index]!, settings: { addresses, websites } }, ACTOR)
      await set(0)
      await set(1)
      await assert.rejects(set(2), { code: 'invalid_rule', message: /the settings of all apps together/ })
      assert.deepEqual((await store.readDirectory()).apps.get('c'), apps[2])
    })
  })
}
