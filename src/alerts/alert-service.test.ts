import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Alert } from '../domain/alerts.ts'
import { AppError } from '../errors.ts'
import { KeptAlerts } from './alert-service.ts'
import { WebhookQueue } from './webhook-queue.ts'

const MINUTE_MS = 60_000
const ALERT: Alert = {
  ...{ id: '01', kind: 'disk', subject: 'nearly full', message: 'the disk is nearly full' },
  ...{ raisedAt: 1, endedAt: null },
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

describe('alerts on the thread of accounts', () => {
  it('are written down and told once the store can be read, each once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    const webhook = { url: 'https://hooks.example.org/', secrets: [{ secret: 's', until: null }], madeAt: 1 }
    const settings = new Map([['alert_webhook', JSON.stringify(webhook)]])
    const kept = new Map<string, Alert>()
    const sent: string[] = []
    let isAway = true
    const here = {
      setting: async (name: string) => settings.get(name),
      putSetting: async (name: string, text: string) => void settings.set(name, text),
      putAlerts: async (alerts: readonly Alert[]) => {
        for (const alert of alerts) kept.set(alert.id, alert)
      },
      listAlerts: async () => [...kept.values()],
    }
    const store = async () => {
      if (isAway) throw new AppError('store_unavailable', 'the store is away')
      return here
    }
    const send = async ({ id }: { readonly id: string }) => void sent.push(id)
    const parts = { store, now: Date.now, random: () => 0.5, onProblem: assert.fail }
    const queue = new WebhookQueue({ ...parts, send })
    const alerts = new KeptAlerts({ store, queue, webhookHosts: [], server: 'https://db.example.org' })
    t.after(() => alerts.close())
    await alerts.note([ALERT])
    await alerts.note([{ ...ALERT, endedAt: 2 }])
    for (const away of [true, false]) {
      isAway = away
      t.mock.timers.tick(MINUTE_MS)
      await settled()
    }
    assert.deepEqual([...kept.values()], [{ ...ALERT, endedAt: 2 }])
    assert.deepEqual(sent, ['msg_01_firing', 'msg_01_ended'])
    t.mock.timers.tick(10 * MINUTE_MS)
    await settled()
    assert.equal(sent.length, 2)
  })
})
