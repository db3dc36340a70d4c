import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Alert, KEPT_ALERTS, TOLD_ALERTS } from '../../src/domain/alerts.ts'
import { ACTOR, NOW, type OpenTestAccounts } from './harness.ts'

const HOSTILE = `'; DROP TABLE alerts; -- \u202e ${'é'.repeat(300)}`
const DISK: Alert = {
  ...{ id: '01', kind: 'disk', subject: HOSTILE, message: HOSTILE },
  ...{ raisedAt: NOW, endedAt: null },
}

function alert(number: number, endedAt: number | null): Alert {
  return { ...DISK, id: String(number).padStart(5, '0'), raisedAt: NOW + number, endedAt }
}

export function alerts(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: alerts`, () => {
    it('are kept as they were raised, and ended by their ids', async (t) => {
      const { store } = await open(t)
      assert.deepEqual(await store.listAlerts(), [])
      await store.putAlerts([DISK, { ...DISK, id: '02', kind: 'wal', raisedAt: NOW + 1 }])
      await store.putAlerts([{ ...DISK, message: 'other', endedAt: NOW + 5 }])
      assert.deepEqual(await store.listAlerts(), [
        { ...DISK, id: '02', kind: 'wal', raisedAt: NOW + 1 },
        { ...DISK, endedAt: NOW + 5 },
      ])
      assert.deepEqual(await store.listAudit({ limit: 10 }), [])
    })

    it('are kept to a bound, the newest of those that have ended, and all that fire', async (t) => {
      const { store } = await open(t)
      const many = Array.from({ length: KEPT_ALERTS + 5 }, (_, number) => alert(number, NOW + number))
      await store.putAlerts([alert(99_999, null), ...many])
      const told = await store.listAlerts()
      assert.deepEqual(told.slice(0, 2), [alert(99_999, null), alert(KEPT_ALERTS + 4, NOW + KEPT_ALERTS + 4)])
      assert.equal(told.length, 1 + TOLD_ALERTS)
    })

    it('that can not be read are passed over', async (t) => {
      const { store, run } = await open(t)
      await store.putAlerts([DISK])
      await run(`UPDATE alerts SET raised_at = -9223372036854775808, ended_at = 9223372036854775807`)
      assert.deepEqual(await store.listAlerts(), [{ ...DISK, raisedAt: 0, endedAt: 0 }])
      await run(`UPDATE alerts SET kind = '__proto__'`)
      assert.deepEqual(await store.listAlerts(), [])
    })

    it('have a webhook, of which the audit trail says where it leads and nothing more', async (t) => {
      const { store } = await open(t)
      const subject = 'https://hooks.example.org'
      await store.changeWebhook({ action: 'webhook.set', subject, text: 'secret' }, ACTOR)
      assert.equal(await store.setting('alert_webhook'), 'secret')
      await store.changeWebhook({ action: 'webhook.delete', subject, text: null }, ACTOR)
      assert.equal(await store.setting('alert_webhook'), undefined)
      const lines = await store.listAudit({ limit: 9 })
      assert.deepEqual(
        lines.map((line) => [line.action, line.subject, line.details]),
        [
          ['webhook.delete', subject, '{}'],
          ['webhook.set', subject, '{}'],
        ],
      )
    })
  })
}
