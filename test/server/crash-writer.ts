import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import type { Group, Ledger, State } from './crash-ledger.ts'
import type { SeededRandom } from './seeded-random.ts'

const OWN_IDS = 12
const SLOTS = 10
const BULK_DOCUMENTS = 60
const COUNTERS = 4
const PADDING_CHARACTERS = 900

/**
 * A connection that writes whatever chance wants, one request after the other, and keeps book of what it sent and
 * what was acknowledged.
 */
export class CrashWriter {
  private readonly number: number
  private readonly client: Client
  private readonly ledger: Ledger
  private readonly random: SeededRandom
  private readonly own: readonly Group[]
  private readonly slots: Group
  private readonly bulks: Group[] = []
  /** Rises with every request, so that every version of a document is told from the others. */
  private version = 0

  constructor(parts: { number: number; client: Client; ledger: Ledger; random: SeededRandom }) {
    this.number = parts.number
    this.client = parts.client
    this.ledger = parts.ledger
    this.random = parts.random
    const ids = (letter: string, length: number): string[] =>
      Array.from({ length }, (_, index) => `${this.number}-${letter}${index}`)
    this.own = ids('o', OWN_IDS).map((id) => this.ledger.group('own', this.number, [id]))
    this.slots = this.ledger.group('slots', this.number, ids('s', SLOTS))
  }

  /** Writes until the connection breaks. An answer that is not the right one is thrown. */
  async run(): Promise<void> {
    const verbs = [
      () => this.create(),
      () => this.count(),
      () => this.save(this.random.pick(this.own)),
      () => this.save(this.random.pick(this.own)),
      () => this.replace(this.random.pick(this.own)),
      () => this.remove(this.random.pick(this.own)),
      () => this.saveSlots(),
      () => this.touchSlots(),
      () => this.saveBulk(),
      () => this.removeBulk(),
    ]
    for (;;) {
      this.version++
      try {
        await this.random.pick(verbs)()
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return
      }
    }
  }

  /** A save without an id. */
  private async create(): Promise<void> {
    const body = JSON.stringify({ writer: this.number, version: this.version, padding: this.padding() })
    this.ledger.created.attempted.add(body)
    const answer = await this.client.send('POST', this.path('created'), { body })
    assert.equal(answer.status, 201, answer.text)
    this.ledger.acknowledgeCreated(body, answer.text)
  }

  /** An update that all writers make to a few documents, so that none may be lost or done twice. */
  private async count(): Promise<void> {
    const id = `counter-${this.random.integer(1, COUNTERS)}`
    const token = `${this.number}-${this.version}`
    this.ledger.counter(id).attempted.add(token)
    const body = JSON.stringify({ $inc: { n: 1 }, $push: { tokens: token } })
    const answer = await this.client.send('PUT', `${this.path('counters')}/${id}`, { body })
    assert.ok(answer.status === 200 || answer.status === 201, answer.text)
    this.ledger.acknowledgeCounted(id, token)
  }

  private async save(group: Group): Promise<void> {
    const text = this.document(group.ids[0]!)
    await this.write(group, [text], ['POST', this.path('own'), text])
  }

  private async replace(group: Group): Promise<void> {
    const text = this.document(group.ids[0]!)
    await this.write(group, [text], ['PUT', `${this.path('own')}/${group.ids[0]}`, text])
  }

  private async remove(group: Group): Promise<void> {
    const path = `${this.path('own')}/${group.ids[0]}`
    const isThere = group.acknowledged[0] !== undefined
    await this.write(group, [undefined], ['DELETE', path], isThere ? [200] : [404])
  }

  /** A bulk that makes or overwrites the writer's slots, all to one version. */
  private async saveSlots(): Promise<void> {
    const texts = this.slots.ids.map((id) => this.document(id))
    await this.write(this.slots, texts, ['POST', this.path('slots'), `[${texts.join(',')}]`])
  }

  /** An update by query of the writer's slots. */
  private async touchSlots(): Promise<void> {
    const { acknowledged } = this.slots
    if (acknowledged[0] === undefined) return this.saveSlots()
    const after = acknowledged.map((text) => JSON.stringify({ ...JSON.parse(text!), version: this.version }))
    const path = `${this.path('slots')}?q={"writer":${this.number}}`
    await this.write(this.slots, after, ['PUT', path, `{"$set":{"version":${this.version}}}`])
  }

  private async saveBulk(): Promise<void> {
    const length = this.random.integer(2, BULK_DOCUMENTS)
    const ids = Array.from({ length }, (_, index) => `${this.number}-b${this.version}-${index}`)
    const group = this.ledger.group('bulk', this.number, ids)
    const texts = ids.map((id) => this.document(id))
    this.bulks.push(group)
    await this.write(group, texts, ['POST', this.path('bulk'), `[${texts.join(',')}]`])
  }

  /** A deletion by query of a whole bulk, by the version that all of its documents have. */
  private async removeBulk(): Promise<void> {
    const group = this.bulks.shift()
    if (group === undefined) return this.saveBulk()
    const { version } = JSON.parse(group.acknowledged[0]!) as { version: number }
    const path = `${this.path('bulk')}?q={"version":${version},"writer":${this.number}}`
    await this.write(
      group,
      group.ids.map(() => undefined),
      ['DELETE', path],
    )
  }

  private async write(
    group: Group,
    after: State,
    [method, path, body]: readonly [method: string, path: string, body?: string],
    statuses: readonly number[] = [200, 201],
  ): Promise<void> {
    group.pending = after
    const answer = await this.client.send(method, path, body === undefined ? {} : { body })
    assert.ok(statuses.includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`)
    this.ledger.acknowledge(group)
  }

  private document(_id: string): string {
    return JSON.stringify({ _id, writer: this.number, version: this.version, padding: this.padding() })
  }

  private padding(): string {
    return 'p'.repeat(this.random.integer(0, PADDING_CHARACTERS))
  }

  private path(kind: Parameters<Ledger['collection']>[0]): string {
    return `/apps/demo/collections/${this.ledger.collection(kind)}`
  }
}
