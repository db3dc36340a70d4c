import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewDeploy } from '../../src/storage/site-store.ts'
import { ACTOR, NOW, type OpenTestAccounts } from './harness.ts'

const NEW: Omit<NewDeploy, 'app'> = {
  ...{ manifest: 'a'.repeat(64), message: 'first', author: 'ada', files: 3, bytes: 2 ** 40, isLive: true },
}

export function sites(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: a site`, () => {
    it('is nothing before its first version', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      assert.deepEqual(await store.findSite(app.id), { live: null, kept: 20 })
      assert.deepEqual(await store.listDeploys(app.id), [])
      await assert.rejects(store.findDeploy({ app: app.id, version: 1 }), { code: 'deploy_not_found' })
      await assert.rejects(store.setLive({ app, version: 1 }, ACTOR), { code: 'deploy_not_found' })
      await assert.rejects(store.insertDeploy({ app: 'none', ...NEW }, ACTOR), { code: 'app_not_found' })
    })

    it('has numbers that are used once, and the live version however old it is', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      const { deploy, trimmed } = await store.insertDeploy({ app, ...NEW }, ACTOR)
      const { isLive: _, ...kept } = NEW
      assert.deepEqual(deploy, { ...kept, version: 1, createdAt: NOW })
      assert.equal(trimmed, 0)
      assert.deepEqual(await store.findDeploy({ app: app.id, version: 1 }), deploy)
      for (let more = 0; more < 3; more++) await store.insertDeploy({ app, ...NEW, isLive: false }, ACTOR)
      assert.deepEqual(await store.setKept({ app, kept: 2 }, ACTOR), { trimmed: 2 })
      const versions = async () => (await store.listDeploys(app.id)).map(({ version }) => version)
      assert.deepEqual([await versions(), await store.findSite(app.id)], [[4, 1], { live: 1, kept: 2 }])
      await assert.rejects(store.deleteDeploy({ app, version: 1 }, ACTOR), { code: 'deploy_live' })
      await store.deleteDeploy({ app, version: 4 }, ACTOR)
      await store.setLive({ app, version: null }, ACTOR)
      const next = await store.insertDeploy({ app, ...NEW }, ACTOR)
      assert.deepEqual([next.deploy.version, await versions()], [5, [5, 1]])
      const site = (await store.readDirectory()).sites.get('demo')
      assert.deepEqual([site?.live, [...site!.manifests.keys()]], [5, [5, 1]])
    })

    it('has its lines in the audit trail, and goes with its app', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      await store.insertDeploy({ app, ...NEW }, ACTOR)
      await store.setLive({ app, version: null }, ACTOR)
      await store.setKept({ app, kept: 3 }, ACTOR)
      await store.deleteDeploy({ app, version: 1 }, ACTOR)
      const trail = await store.listAudit({ limit: 4, app: app.id })
      assert.deepEqual(
        trail.map(({ action, subject, details }) => [action, subject, JSON.parse(details)]),
        [
          ['deploy.delete', 'demo', { version: 1 }],
          ['site.update', 'demo', { kept: 3, trimmed: 0 }],
          ['deploy.live', 'demo', { version: null, before: 1 }],
          ['deploy.create', 'demo', { version: 1, live: true, message: 'first', files: 3, bytes: 2 ** 40 }],
        ],
      )
      await store.insertDeploy({ app, ...NEW }, ACTOR)
      await store.deleteApp(app, ACTOR)
      assert.equal((await store.readDirectory()).sites.size, 0)
      assert.equal((await store.listDeploys(app.id)).length, 1, 'for it can be restored')
      await store.removeApp('demo', ACTOR)
      assert.deepEqual(await store.listDeploys(app.id), [])
    })
  })
}
