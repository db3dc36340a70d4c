import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateWebhookSecret } from '../../src/alerts/sign-webhook.ts'
import { createQuotaUses } from '../../src/credentials/quota-uses.ts'
import type { Alert } from '../../src/domain/alerts.ts'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { AccountsWorker } from '../../src/main/accounts-worker.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { PROCESS } from '../account-context.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

type Verify = (secret: string, headers: IncomingHttpHeaders, body: string) => boolean

/** The function that the documentation gives receivers. */
async function documentedVerifier(): Promise<Verify> {
  const page = readFileSync(new URL('../../docs/operations/alerts.md', import.meta.url), 'utf8')
  const [, source] = /^```js\n(.*?)^```/ms.exec(page)!
  return (await import(`data:text/javascript,${encodeURIComponent(source!)}`)).isFromSheaf
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What takes messages on this machine, and answers with a status that can be set. */
class Receiver extends EventEmitter<{ message: [Received] }> {
  status = 204
  private readonly server: Server

  constructor() {
    super()
    this.server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      response.writeHead(this.status).end()
      this.emit('message', { headers: request.headers, body })
    })
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook?key=path-secret`
  }

  async next(): Promise<Received> {
    const [received] = await once(this, 'message')
    return received
  }

  close(): void {
    this.server.close()
  }
}

describe('alerts', () => {
  let dashboard: Dashboard
  let operator: Credential
  let url: string
  let verify: Verify
  const receiver = new Receiver()

  before(async () => {
    url = await receiver.listen()
    verify = await documentedVerifier()
    dashboard = await Dashboard.start({ SHEAF_WEBHOOK_HOSTS: '127.0.0.1' })
    operator = await dashboard.session(await dashboard.account('op@example.org', { isOperator: true }))
  })
  after(async () => {
    await dashboard.close()
    receiver.close()
  })

  const ask = (method: string, path: string, json?: unknown) =>
    dashboard.send(method, `/server/${path}`, operator, json === undefined ? {} : { json })

  it('are told to a webhook that is set, tried, given another secret and taken away', async () => {
    assert.deepEqual((await ask('GET', 'alert-webhook')).json, null)
    const refused = await ask('PUT', 'alert-webhook', { url: 'https://169.254.169.254/latest/meta-data' })
    assert.deepEqual([refused.status, refused.json.code], [400, 'invalid_request'])
    const { json: made } = await ask('PUT', 'alert-webhook', { url })
    assert.match(made.secret, /^whsec_[\w+/]{43}=$/)
    const [tried, first] = await Promise.all([ask('POST', 'alert-webhook/test'), receiver.next()])
    assert.deepEqual([tried.status, tried.json], [200, { url }])
    const { id, at, ...told } = JSON.parse(first.body)
    const server = `https://127.0.0.1:${dashboard.server.port}`
    assert.deepEqual(told, {
      ...{ kind: 'test', state: 'firing', subject: 'webhook', message: 'this is a test: nothing is wrong' },
      server,
    })
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
    assert.equal(first.headers['webhook-id'], `msg_${id}`)
    assert.ok(verify(made.secret, first.headers, first.body))
    assert.ok(!verify(made.secret, first.headers, first.body.replace('nothing', 'a lot')))
    const late = { ...first.headers, 'webhook-timestamp': String(Date.now() / 1000 - 301) }
    assert.ok(!verify(made.secret, late, first.body))

    const { json: again } = await ask('PUT', 'alert-webhook', { url })
    const [, second] = await Promise.all([ask('POST', 'alert-webhook/test'), receiver.next()])
    for (const { secret } of [made, again]) assert.ok(verify(secret, second.headers, second.body))
    assert.ok(!verify(generateWebhookSecret(), second.headers, second.body))

    receiver.status = 500
    const failed = await ask('POST', 'alert-webhook/test')
    const problem = '127.0.0.1 answered with the status 500'
    assert.deepEqual([failed.status, failed.json.code], [502, 'webhook_failed'])
    assert.equal(failed.json.message, `the webhook was not told: ${problem}`)
    const { json: described, text } = await ask('GET', 'alert-webhook')
    assert.deepEqual([described.url, described.pending, described.last.problem], [url, 0, problem])
    assert.ok(!text.includes('whsec_'))
    assert.equal((await ask('DELETE', 'alert-webhook')).status, 204)
    assert.equal((await ask('POST', 'alert-webhook/test')).json.code, 'webhook_off')
    const audit = await ask('GET', 'audit?action=webhook')
    assert.deepEqual(
      audit.json.map((line: { action: string; subject: string }) => [line.action, line.subject]),
      [['webhook.delete'], ['webhook.set'], ['webhook.set']].map((line) => [...line, new URL(url).origin]),
    )
    assert.ok(!audit.text.includes('path-secret'))
    assert.doesNotMatch(dashboard.server.log, /path-secret|whsec_/)
  })

  it('that fire are told to operators, in what they ask for anyway too', async () => {
    const alert: Alert = {
      ...{ id: '01', kind: 'wal', subject: 'the app <b>', message: 'the log of <b> is long' },
      ...{ raisedAt: Date.UTC(2026, 0, 1), endedAt: null },
    }
    await dashboard.accounts.putAlerts([alert, { ...alert, id: '02', endedAt: Date.UTC(2026, 0, 2) }])
    const { kind, subject, message } = alert
    const firing = { id: '01', kind, subject, message, raisedAt: '2026-01-01T00:00:00.000Z', endedAt: null }
    assert.deepEqual((await ask('GET', 'alerts')).json, {
      firing: [firing],
      ended: [{ ...firing, id: '02', endedAt: '2026-01-02T00:00:00.000Z' }],
    })
    assert.deepEqual((await dashboard.send('GET', '/session', operator)).json.alerts, [message])
    const guest = await dashboard.session(await dashboard.account('guest@example.org'))
    assert.equal((await dashboard.send('GET', '/session', guest)).json.alerts, undefined)
    // A webhook that is set meanwhile is told of them; the same address given again is not.
    receiver.status = 204
    const [, told] = await Promise.all([ask('PUT', 'alert-webhook', { url }), receiver.next()])
    assert.equal(told.headers['webhook-id'], 'msg_01_firing')
    await ask('PUT', 'alert-webhook', { url })
    const [, tried] = await Promise.all([ask('POST', 'alert-webhook/test'), receiver.next()])
    assert.equal(JSON.parse(tried.body).kind, 'test')
  })

  it('are written down and told by the thread of accounts, what was left at the last end too', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-alerts-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    openDataFolder(dataDir)
    const accounts = await openAccounts({ dataDir })
    t.after(() => accounts.close())
    const secret = generateWebhookSecret()
    const text = JSON.stringify({ url, secrets: [{ secret, until: null }], madeAt: 1 })
    await accounts.changeWebhook({ action: 'webhook.set', subject: 'test', text }, 'test')
    const problem = Promise.withResolvers<string>()
    const start = (): AccountsWorker => {
      const worker = new AccountsWorker({
        settings: () => ({
          ...{ dataDir, limits: DEFAULT_LIMITS, origin: 'https://db.example.org', sitesDomain: 'localhost' },
          ...{ ownHosts: new Set<string>(), backups: undefined, isSignupOpen: false, slowMs: 500 },
          ...{ isAutoIndexOn: true, process: { ...PROCESS, memoryBytes: 0 } },
          ...{ webhookHosts: ['127.0.0.1'], quotaUses: createQuotaUses() },
        }),
        onFailure: () => assert.fail(),
        onFailedBackup: assert.fail,
        onBackups: () => assert.fail(),
        onProblem: problem.resolve,
      })
      t.after(() => worker.close())
      return worker
    }
    const alert: Alert = {
      ...{ id: '01', kind: 'disk', subject: 'nearly full', message: 'the disk is nearly full' },
      ...{ raisedAt: Date.UTC(2026, 0, 1), endedAt: null },
    }
    receiver.status = 503
    const worker = start()
    worker.noteAlerts([alert])
    const first = await receiver.next()
    assert.equal(
      await problem.promise,
      "the webhook for alerts can't be told: 127.0.0.1 answered with the status 503; it is tried again for a day",
    )
    await worker.close()
    assert.deepEqual(await accounts.listAlerts(), [alert])
    // What is to be sent again in five seconds is so at once where its time has come by the next start.
    const queue = JSON.parse((await accounts.setting('alert_webhook_queue'))!)
    assert.equal(queue.pending.length, 1)
    queue.pending[0].nextAt = 0
    await accounts.putSetting('alert_webhook_queue', JSON.stringify(queue))
    receiver.status = 204
    start().noteAlerts([])
    const second = await receiver.next()
    assert.equal(second.headers['webhook-id'], 'msg_01_firing')
    assert.equal(second.body, first.body)
    assert.ok(verify(secret, second.headers, second.body))
    const { raisedAt: _, endedAt: __, ...told } = alert
    const at = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(JSON.parse(second.body), {
      ...told,
      ...{ state: 'firing', at, server: 'https://db.example.org' },
    })
  })
})
