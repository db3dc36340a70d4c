import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Ledger, verify } from './crash-ledger.ts'

let ledger: Ledger
let stored: Record<string, string>
beforeEach(() => {
  ledger = new Ledger(1)
  stored = { 'own-1': '[]', 'bulk-1': '[]', 'slots-1': '[]', 'created-1': '[]', 'counters-1': '[]' }
})

function write(kind: 'own' | 'bulk', texts: readonly string[], isAcknowledged: boolean): void {
  const group = ledger.group(
    kind,
    1,
    texts.map((text) => JSON.parse(text)._id),
  )
  group.pending = texts
  if (isAcknowledged) ledger.acknowledge(group)
}

async function verified(): Promise<void> {
  await verify(ledger, async (collection) => stored[collection]!)
}

describe("the crash test's book", () => {
  it('misses a write that was acknowledged', async () => {
    write('own', ['{"_id":"a","v":2}'], true)
    await assert.rejects(verified(), /own-1 has \[null\]/)
    stored['own-1'] = '[{"_id":"a","v":1}]'
    await assert.rejects(verified(), /it may have \[\["\{\\"_id\\":\\"a\\",\\"v\\":2\}"\]\]/)
    stored['own-1'] = '[{"_id":"a","v":2}]'
    await verified()
  })

  it('lets a write that was not acknowledged be there or not, whole', async () => {
    write('bulk', ['{"_id":"a"}', '{"_id":"b"}'], false)
    await verified()
    stored['bulk-1'] = '[{"_id":"a"}]'
    await assert.rejects(verified(), /bulk-1 has/)
    stored['bulk-1'] = '[{"_id":"a"},{"_id":"b"}]'
    await verified()
  })

  it('does not know documents that nobody wrote', async () => {
    stored['own-1'] = '[{"_id":"x"}]'
    await assert.rejects(verified(), /nobody wrote/)
  })

  it('sees natural order lost', async () => {
    write('own', ['{"_id":"a"}'], true)
    write('own', ['{"_id":"b"}'], true)
    stored['own-1'] = '[{"_id":"b"},{"_id":"a"}]'
    await assert.rejects(verified(), /natural order was lost/)
    stored['own-1'] = '[{"_id":"a"},{"_id":"b"}]'
    await verified()
  })

  it('counts every update once', async () => {
    const { attempted } = ledger.counter('c')
    for (const token of ['x', 'y', 'z']) attempted.add(token)
    ledger.acknowledgeCounted('c', 'x')
    for (const [document, problem] of [
      ['{"_id":"c","n":1,"tokens":["y"]}', /lost an acknowledged update/],
      ['{"_id":"c","n":2,"tokens":["x"]}', /in part/],
      ['{"_id":"c","n":2,"tokens":["x","x"]}', /twice/],
      ['{"_id":"c","n":4,"tokens":["x","y","z","q"]}', /counted to 4/],
      ['{"_id":"c","n":2,"tokens":["x","q"]}', /nobody sent/],
    ] as const) {
      stored['counters-1'] = `[${document}]`
      await assert.rejects(verified(), problem)
    }
    stored['counters-1'] = '[{"_id":"c","n":2,"tokens":["x","z"]}]'
    await verified()
  })

  it('wants assigned ids to rise, and their documents whole', async () => {
    ledger.created.attempted.add('{"v":1}')
    ledger.created.attempted.add('{"v":2}')
    ledger.acknowledgeCreated('{"v":1}', '{"_id":"01B","v":1}')
    await assert.rejects(verified(), /was acknowledged/)
    stored['created-1'] = '[{"_id":"01B","v":1},{"_id":"01A","v":2}]'
    await assert.rejects(verified(), /do not rise/)
    stored['created-1'] = '[{"_id":"01B","v":1},{"_id":"01C"}]'
    await assert.rejects(verified(), /nobody saved/)
    stored['created-1'] = '[{"_id":"01B","v":1},{"_id":"01C","v":1}]'
    await assert.rejects(verified(), /two documents/)
    stored['created-1'] = '[{"_id":"01B","v":1},{"_id":"01C","v":2}]'
    await verified()
  })
})
