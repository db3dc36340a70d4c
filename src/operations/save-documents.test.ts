import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { memoryStore } from '../../test/memory-store.ts'
import { BodyWorker } from '../body/body-worker.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { Principal } from '../domain/principal.ts'
import { ImportThreads } from '../import/import-threads.ts'
import { unpackedDocuments } from '../storage/packed.ts'
import type { DocumentToSave } from '../storage/store.ts'
import type { OperationContext } from './context.ts'
import { saveDocuments } from './save-documents.ts'

const PRINCIPAL: Principal = { keyId: 'k', name: 'test', owner: null, rules: UNLIMITED }
const INPUT = { app: 'demo', collection: 'things', format: 'json', returning: 'documents' } as const

interface Saves {
  readonly context: OperationContext
  /** What reached the store. */
  readonly documents: DocumentToSave[]
}

const options = { limits: DEFAULT_LIMITS, serviceNames: ['Service'], onFailure: () => {} }
const bodyWorker = new BodyWorker(options)
const imports = new ImportThreads(options)
after(() => bodyWorker.close())

function saves(): Saves {
  const documents: DocumentToSave[] = []
  const store = memoryStore({ apps: ['id'], limits: DEFAULT_LIMITS, serviceNames: ['Service'] })
  const save = store.saveDocuments.bind(store)
  store.saveDocuments = (command) => {
    documents.push(...unpackedDocuments(command.documents))
    return save(command)
  }
  let fresh = 0
  const context: OperationContext = {
    store,
    bodyWorker,
    imports,
    directory: () => ({
      apps: new Map([['demo', { id: 'id', slug: 'demo', owner: null, createdAt: 0 }]]),
      keysByHash: new Map(),
      keysById: new Map(),
      sites: new Map(),
      damages: [],
      tokenSecrets: [],
    }),
    admit: () => {},
    admitToApp: () => {},
    countRequest: () => {},
    withRoom: (_owner, _bytes, write) => write(),
    withRoomLeft: (_owner, _bytes, write) => write(),
    limits: DEFAULT_LIMITS,
    serviceNames: ['Service'],
    now: () => 0,
    unique: () => `unique ${++fresh}`,
    uuid: () => `uuid ${++fresh}`,
  }
  return { context, documents }
}

describe('saving documents', () => {
  it('gives the store compact text and ids by their value', async () => {
    const { context, documents } = saves()
    const body = Buffer.from('[{"_id":1.0,"a":[1.10]}, {"_id":"\\u0078", "a":1 },{"a":-0}]')
    await saveDocuments(context, PRINCIPAL, { ...INPUT, body: [body] })
    assert.deepEqual(documents, [
      { id: 1, text: '{"_id":1.0,"a":[1.10]}' },
      { id: 'x', text: '{"_id":"x","a":1}' },
      { text: '{"a":-0}' },
    ])
  })

  it('fills each placeholder afresh, and those in _id first', async () => {
    const { context, documents } = saves()
    const body = Buffer.from(
      '[{"_id":"Service.ServerValue.UNIQUE","a":"Service.ServerValue.UUID"},{"a":"Service.ServerValue.UTC"}]',
    )
    await saveDocuments(context, PRINCIPAL, { ...INPUT, body: [body] })
    assert.deepEqual(documents, [
      { id: 'unique 1', text: '{"_id":"unique 1","a":"uuid 2"}' },
      { text: '{"a":"1970-01-01T00:00:00.000Z"}' },
    ])
  })

  it('answers a long bulk in pieces that are text each by itself', async () => {
    const { context } = saves()
    const text = `[{"_id":1,"a":"x${'😀'.repeat(100_000)}"},{"_id":2,"a":"${'é'.repeat(100_000)}"}]`
    const { first, rest } = await saveDocuments(context, PRINCIPAL, { ...INPUT, body: [Buffer.from(text)] })
    const chunks = [Buffer.from(first)]
    for await (const chunk of rest!) chunks.push(Buffer.from(chunk))
    assert.equal(Buffer.concat(chunks).toString(), text)
    assert.ok(chunks.every(({ length }) => length <= 4 * 64 * 1024))
  })

  it('does not hold the event loop while it reads a long array', async () => {
    const { context } = saves()
    const documents = Array.from({ length: 10_000 }, (_, i) => ({
      i,
      list: Array.from({ length: 100 }, () => i),
    }))
    const body = Buffer.from(JSON.stringify(documents, undefined, 1))
    let turns = 0
    let isOver = false
    const countTurns = (): void => {
      turns++
      if (!isOver) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    await saveDocuments(context, PRINCIPAL, { ...INPUT, body: [body] })
    isOver = true
    assert.ok(turns > 0)
  })
})
