import assert from 'node:assert/strict'
import { request } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { Client } from '../server/client.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

interface TailEvent {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as it is.
  readonly data: any
}

/** A live view that is open, and what comes of it. */
class View {
  readonly status: Promise<number>
  readonly ended: Promise<void>
  private readonly answered = Promise.withResolvers<number>()
  private readonly over = Promise.withResolvers<void>()
  private readonly outgoing: ReturnType<typeof request>
  private readonly events: TailEvent[] = []
  private rest = ''
  private wake = (): void => {}

  constructor({ port, ca }: { port: number; ca: string }, path: string, headers: Credential) {
    this.status = this.answered.promise
    this.ended = this.over.promise
    this.outgoing = request({ host: 'localhost', port, ca, path: `/_/api${path}`, headers }, (incoming) => {
      this.answered.resolve(incoming.statusCode!)
      incoming.setEncoding('utf8')
      incoming.on('data', (text: string) => this.take(text))
      incoming.on('close', () => this.over.resolve())
    })
    this.outgoing.on('error', () => this.over.resolve())
    this.outgoing.end()
  }

  /** The next event, as soon as it is there. */
  async next(): Promise<TailEvent> {
    while (this.events.length === 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    return this.events.shift()!
  }

  close(): void {
    this.outgoing.destroy()
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n')
    this.rest = blocks.pop()!
    for (const block of blocks) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (name !== undefined) this.events.push({ name, data: JSON.parse(data!) })
    }
    this.wake()
  }
}

describe('the live view of an app’s requests', () => {
  let dashboard: Dashboard
  let owner: Credential
  let other: Credential
  let keySecret: string
  let client: Client

  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_HTTP_THREADS: '2' })
    owner = await dashboard.session(await dashboard.account('ada@example.org'))
    other = await dashboard.session(await dashboard.account('bob@example.org'))
    const json = { slug: 'todo' }
    assert.equal((await dashboard.send('POST', '/apps', owner, { json })).status, 201)
    const made = await dashboard.send('POST', '/apps/todo/keys', owner, { json: { name: 'phone' } })
    assert.equal(made.status, 201)
    keySecret = made.json.key
    const { port, ca } = dashboard.server
    client = new Client({ port, ca, apiKey: keySecret })
  })

  after(async () => {
    client.close()
    await dashboard.close()
  })

  const view = (headers: Credential = owner, query = ''): View =>
    new View(dashboard.server, `/apps/todo/analytics/tail${query}`, {
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    })

  async function ask(path: string): Promise<void> {
    await client.send('GET', path)
  }

  it('is for those who have a part in the app, and for no longer than half an hour', async () => {
    const foreign = view(other)
    assert.equal(await foreign.status, 404)
    const long = view(owner, '?seconds=1801')
    assert.equal(await long.status, 400)
    await Promise.all([foreign.ended, long.ended])
  })

  it('shows requests that any thread answered, and no secret, query, body or address', async () => {
    const open = view()
    assert.equal(await open.status, 200)
    for (let i = 0; i < 8; i++) await ask(`/apps/todo/collections/c?q={"name":"${i}"}&api_key=${keySecret}`)
    for (let i = 0; i < 8; i++) {
      const { name, data } = await open.next()
      const { at, ms, bytesOut, requestId, ...rest } = data
      assert.equal(name, 'request')
      assert.deepEqual(rest, {
        ...{ method: 'GET', path: '/apps/todo/collections/c?[redacted]', status: 200, bytesIn: 0 },
        ...{ collection: 'c', operation: 'find', key: 'phone' },
      })
      assert.ok(Date.parse(at) > 0 && ms > 0 && bytesOut === 2 && requestId !== '')
    }
    open.close()
    await open.ended
  })

  it('shows at most 50 requests a second, and says how many more there were', async () => {
    const open = view()
    assert.equal(await open.status, 200)
    await Promise.all(Array.from({ length: 150 }, () => ask('/apps/todo/collections/c/none')))
    let told = 0
    let skipped = 0
    while (told + skipped < 150) {
      const { name, data } = await open.next()
      if (name === 'request') told++
      else skipped += data.count
      if (name === 'request') assert.equal(data.code, 'document_not_found')
    }
    assert.equal(told + skipped, 150)
    open.close()
    await open.ended
  })

  it('shows errors however many other requests there are, and says how many of them it left out', async () => {
    const open = view()
    assert.equal(await open.status, 200)
    const others = Array.from({ length: 150 }, () => ask('/apps/todo/collections/c'))
    await Promise.all([...others, ...Array.from({ length: 40 }, () => ask('/apps/todo/collections/c/none'))])
    const seen = { errors: 0, others: 0, skipped: 0 }
    while (seen.errors + seen.others + seen.skipped < 190) {
      const { name, data } = await open.next()
      if (name === 'request') seen[data.status === 200 ? 'others' : 'errors']++
      else seen.skipped += data.count
      if (name === 'skipped') assert.equal(data.errors, 0)
    }
    assert.equal(seen.errors, 40)
    open.close()
    await open.ended
  })

  it('is open four times at once for an account, and a closed one makes room', async () => {
    const open = Array.from({ length: 4 }, () => view())
    for (const each of open) assert.equal(await each.status, 200)
    const fifth = view()
    assert.equal(await fifth.status, 429)
    open[0]!.close()
    for (;;) {
      const another = view()
      open.push(another)
      if ((await another.status) === 200) break
    }
    for (const each of open) each.close()
  })

  it('ends with the server', async () => {
    const open = view(owner)
    assert.equal(await open.status, 200)
    await dashboard.server.stop()
    assert.deepEqual(await open.next(), { name: 'end', data: { reason: 'stopped' } })
    await open.ended
  })
})
