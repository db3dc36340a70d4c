import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { WEBHOOK_QUEUE_SETTING } from './queue-state.ts'
import type { WebhookMessage } from './send-webhook.ts'
import { WebhookQueue } from './webhook-queue.ts'

const HOUR_MS = 3_600_000
const WEBHOOK = { url: 'https://hooks.example.org/x', secrets: [{ secret: 'new', until: null }], madeAt: 1 }

/** A queue over settings that outlast it, and a webhook that does as it is told. */
function place(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const settings = new Map([['alert_webhook', JSON.stringify(WEBHOOK)]])
  const here = { problem: undefined as string | undefined, isFull: false, isAway: false }
  const sent: WebhookMessage[] = []
  const told: string[] = []
  const unavailable = (): never => {
    throw new AppError('store_unavailable', 'the store is away')
  }
  const store = {
    setting: async (name: string) => (here.isAway ? unavailable() : settings.get(name)),
    putSetting: async (name: string, value: string) =>
      here.isFull ? unavailable() : void settings.set(name, value),
  }
  const open = (): WebhookQueue => {
    const queue = new WebhookQueue({
      store: async () => store,
      send: async (message) => {
        sent.push(message)
        return here.problem
      },
      onProblem: (line) => told.push(line),
      now: Date.now,
      random: () => 0.5,
    })
    t.after(() => queue.close())
    return queue
  }
  /** Lets time pass; answers which messages were sent at its end. */
  const after = async (ms: number): Promise<string[]> => {
    await settled()
    sent.length = 0
    t.mock.timers.tick(ms)
    await settled()
    return sent.map(({ id }) => id)
  }
  return { settings, here, sent, told, open, after }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}

const message = (id: string, alert = id) => ({ id, alert, body: `{"id":"${alert}"}` })

describe('messages to a webhook', () => {
  it('are sent in order, and signed by each secret that is good', async (t) => {
    const { settings, sent, open } = place(t)
    const secrets = [
      { secret: 'new', until: null },
      { secret: 'old', until: 1_000_001 },
      { secret: 'ended', until: 1_000_000 },
    ]
    settings.set('alert_webhook', JSON.stringify({ ...WEBHOOK, secrets }))
    const queue = open()
    await queue.add([message('1'), message('2')])
    await settled()
    assert.deepEqual(sent, [
      { url: WEBHOOK.url, secrets: ['new', 'old'], id: '1', body: '{"id":"1"}' },
      { url: WEBHOOK.url, secrets: ['new', 'old'], id: '2', body: '{"id":"2"}' },
    ])
    assert.deepEqual(await queue.state(), { pending: [], last: { at: 1_000_000, problem: null } })
  })

  it('are tried again with growing pauses for a day, and given up then', async (t) => {
    const { here, told, open, after } = place(t)
    here.problem = 'hooks.example.org answered with the status 503'
    const queue = open()
    await queue.add([message('1')])
    for (const pauseMs of [5_000, 30_000, 120_000, 600_000, 1_800_000, HOUR_MS, HOUR_MS]) {
      assert.deepEqual(await after(pauseMs - 1), [], `before ${pauseMs} ms`)
      assert.deepEqual(await after(1), ['1'], `after ${pauseMs} ms`)
    }
    assert.deepEqual(told, [
      `the webhook for alerts can't be told: ${here.problem}; it is tried again for a day`,
    ])
    for (let hour = 0; hour < 21; hour += 1) assert.deepEqual(await after(HOUR_MS), ['1'])
    assert.deepEqual(await after(HOUR_MS), ['1'])
    assert.deepEqual((await queue.state()).pending, [])
    assert.match(told[1]!, /^the message 1 to the webhook is given up after a day/)
    assert.deepEqual(await after(10 * HOUR_MS), [])
  })

  it('go on after a restart, those about one alert in their order', async (t) => {
    const { here, open, after } = place(t)
    here.problem = 'away'
    const first = open()
    await first.add([message('a1', 'a'), message('a2', 'a'), message('b1', 'b')])
    await settled()
    await first.close()
    assert.deepEqual(await after(HOUR_MS), [])
    here.problem = undefined
    const second = open()
    second.resume()
    assert.deepEqual(await after(0), [])
    const { pending, last } = await second.state()
    assert.deepEqual([pending, last?.problem], [[], null])
  })

  it('of a test leave what came of them to the next start', async (t) => {
    const { here, open } = place(t)
    here.problem = 'away'
    assert.equal(await open().sendNow(WEBHOOK, message('test')), 'away')
    assert.deepEqual((await open().state()).last, { at: 1_000_000, problem: 'away' })
  })

  it('are sent from a full disk, and kept in memory meanwhile', async (t) => {
    const { settings, here, sent, open, after } = place(t)
    here.isFull = true
    here.problem = 'away'
    await open().add([message('1')])
    await settled()
    assert.deepEqual([sent.length, settings.get(WEBHOOK_QUEUE_SETTING)], [1, undefined])
    here.problem = undefined
    assert.deepEqual(await after(5_000), ['1'])
  })

  it('wait where the store is away, and are asked for once a minute', async (t) => {
    const { settings, here, open, after } = place(t)
    const left = { ...message('1'), since: 1_000_000, attempts: 0, nextAt: 1_000_000 }
    settings.set(WEBHOOK_QUEUE_SETTING, JSON.stringify({ pending: [left, 7, { id: 1 }], last: { at: 'x' } }))
    const queue = open()
    assert.deepEqual((await queue.state()).pending, [left])
    here.isAway = true
    queue.resume()
    assert.deepEqual(await after(59_999), [])
    here.isAway = false
    assert.deepEqual(await after(1), ['1'])
  })

  it('wait where the store is away from the start on, and are not taken by halves', async (t) => {
    const { settings, here, open, after } = place(t)
    const left = { ...message('1'), since: 1_000_000, attempts: 0, nextAt: 1_000_000 }
    settings.set(WEBHOOK_QUEUE_SETTING, JSON.stringify({ pending: [left] }))
    here.isAway = true
    const queue = open()
    queue.resume()
    await assert.rejects(queue.add([message('2')]), { code: 'store_unavailable' })
    assert.deepEqual(await after(59_999), [])
    here.isAway = false
    assert.deepEqual(await after(1), ['1'])
  })

  it('are not taken twice while they wait', async (t) => {
    const { here, open } = place(t)
    here.problem = 'away'
    const queue = open()
    await queue.add([message('1')])
    await queue.add([message('1'), message('2')])
    assert.deepEqual(
      (await queue.state()).pending.map(({ id }) => id),
      ['1', '2'],
    )
  })

  it('do not wait for years because a clock was wrong', async (t) => {
    const { settings, open, after } = place(t)
    const nextAt = 1_000_000 + 1_000 * HOUR_MS
    const left = { ...message('1'), since: nextAt, attempts: 3, nextAt }
    settings.set(WEBHOOK_QUEUE_SETTING, JSON.stringify({ pending: [left] }))
    const queue = open()
    queue.resume()
    await after(0)
    assert.deepEqual((await queue.state()).pending, [])
  })

  it('are none where there is no webhook, or it is taken away', async (t) => {
    const { settings, here, open, after } = place(t)
    here.problem = 'away'
    const queue = open()
    await queue.add([message('1')])
    await settled()
    settings.delete('alert_webhook')
    assert.deepEqual(await after(5_000), [])
    await queue.add([message('2')])
    assert.deepEqual(await queue.state(), { pending: [], last: null })
    for (const damaged of ['{', 'null', '7', '{"url":"no URL","secrets":[],"madeAt":1}']) {
      settings.set('alert_webhook', damaged)
      await queue.add([message('3')])
      assert.deepEqual((await queue.state()).pending, [], damaged)
    }
  })

  it('are 200 at most, the newest', async (t) => {
    const { here, told, open } = place(t)
    here.problem = 'away'
    const queue = open()
    await queue.add(Array.from({ length: 201 }, (_, number) => message(`m${number}`)))
    assert.equal((await queue.state()).pending.length, 200)
    assert.equal(told[0], 'the message m0 to the webhook is dropped: 200 others wait')
  })
})
