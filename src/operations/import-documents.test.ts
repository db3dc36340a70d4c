import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { UNLIMITED } from '../domain/key-rules.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { ImportThreads } from '../import/import-threads.ts'
import type { ImportCommand } from '../storage/import-store.ts'
import { packedText } from '../storage/packed.ts'
import type { OperationContext } from './context.ts'
import { type ImportDocumentsInput, importDocuments } from './import-documents.ts'

const PRINCIPAL = { keyId: 'k', name: 'ada', owner: null, rules: UNLIMITED }
const APP = { id: 'app-id', slug: 'app', owner: null, createdAt: 0 }
const onFailure = (error: unknown): never => assert.fail(String(error))
const LIMITS = { ...DEFAULT_LIMITS, documentBytes: 10_000 }

/** What is asked of a store that notes it. */
class NotingStore {
  command: ImportCommand | undefined
  readonly calls: string[] = []
  readonly texts: string[] = []
  /** Documents that it refuses, by their numbers. */
  refused: readonly number[] = []

  async beginImport(command: ImportCommand) {
    this.command = command
    const { calls, texts } = this
    return {
      add: async (documents: Parameters<typeof packedText>[0]) => {
        calls.push('add')
        for (const index of documents.ids.keys()) this.take(packedText(documents, index), command)
      },
      finish: async () => {
        calls.push('finish')
        const refused = this.refused.length
        return { created: texts.length - refused, replaced: 0, skipped: 0, refused }
      },
      discard: async () => void calls.push('discard'),
    }
  }

  private take(text: string, { skipsRefused, onRefused }: ImportCommand): void {
    const number = this.texts.push(text) - 1
    if (!this.refused.includes(number)) return
    const options = { documentIndex: number }
    const error = new AppError('unique_violation', 'the value is there already', options)
    if (!skipsRefused) throw error
    onRefused?.(number, error)
  }
}

describe('an import', () => {
  const imports = new ImportThreads({ limits: LIMITS, onFailure })
  after(() => imports.close())

  async function* inPieces(text: string, length = 50_000): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  const load = (
    store: NotingStore,
    file: AsyncIterable<Buffer>,
    more: Partial<ImportDocumentsInput> = {},
    now = () => 0,
    withRoom: OperationContext['withRoom'] = (_owner, _bytes, write) => write(),
  ) => {
    const directory = () => ({ apps: new Map([['app', APP]]) })
    const parts = { store, imports, directory, limits: LIMITS, now, withRoom }
    const context = parts as unknown as OperationContext
    return importDocuments(context, PRINCIPAL, {
      ...{ app: 'app', collection: 'c', format: 'ndjson', ejson: false, skipsBad: false, isCheck: false },
      ...{ file, isCommand: false, isCancelled: () => false, reauthorise: async () => PRINCIPAL, ...more },
    })
  }
  const fails = async (importing: Promise<unknown>, code: ErrorCode, message: RegExp): Promise<void> => {
    await assert.rejects(importing, (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  }

  it('is discarded where its client leaves in the middle, or nobody waits for it at its end', async () => {
    const gone = new Error('the client is gone')
    async function* broken(): AsyncGenerator<Buffer> {
      yield* inPieces('{"a":1}\n'.repeat(5000))
      throw gone
    }
    const store = new NotingStore()
    await assert.rejects(load(store, broken()), gone)
    assert.equal(store.calls.at(-1), 'discard')
    assert.ok(!store.calls.includes('finish'))
    const late = new NotingStore()
    await fails(load(late, inPieces('{"a":1}'), { isCancelled: () => true }), 'deadline_exceeded', /nobody/)
    assert.deepEqual(late.calls, ['add', 'discard'])
  })

  it('is read no further than to its first fault, and leaves the rest of its file unread', async () => {
    let wasReturned = false
    let pieces = 0
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          pieces++
          yield Buffer.from(`{"a":1}\n${pieces === 3 ? 'x' : ''}\n`)
        }
      } finally {
        wasReturned = true
      }
    }
    const store = new NotingStore()
    await fails(load(store, endless()), 'invalid_json', /^line 6: /)
    assert.deepEqual(store.calls, ['discard'])
    assert.ok(wasReturned)
    assert.ok(pieces < 10, `${pieces} pieces`)
  })

  it('is given up where its documents are more than there is room for, and not begun where there is none', async () => {
    const full = new AppError('quota_exceeded', 'there is no room for this')
    const text = `{"a":"${'x'.repeat(200)}"}\n`.repeat(2500)
    for (const [room, calls] of [
      [0, []],
      [400_000, ['add', 'discard']],
    ] as const) {
      let left: number = room
      const withRoom: OperationContext['withRoom'] = async (_, bytes, write) => {
        left -= bytes
        if (left < 0) throw full
        return write()
      }
      const store = new NotingStore()
      await assert.rejects(
        load(store, inPieces(text), {}, () => 0, withRoom),
        { code: 'quota_exceeded' },
      )
      assert.deepEqual([...new Set(store.calls)], calls)
    }
  })

  it('names the line of a document that the store refuses, in whichever batch it is', async () => {
    const lines = Array.from({ length: 2500 }, (_, n) => `{"n":${n}}\n${n === 1000 ? '\n' : ''}`)
    const store = new NotingStore()
    store.refused = [2000]
    await fails(load(store, inPieces(lines.join(''))), 'unique_violation', /^line 2002: the value/)
    const json = new NotingStore()
    json.refused = [1]
    const file = inPieces('[{"a":1},\n\n{"a":2}]')
    await fails(
      load(json, file, { format: 'json' }),
      'unique_violation',
      /^line 3: the document at index 1: /,
    )
  })

  it('that skips what is bad has all faults in the order of their lines', async () => {
    const store = new NotingStore()
    store.refused = [0, 2]
    const result = await load(store, inPieces('{"a":1}\nx\n{"a":2}\n{"a":3}\ny'), { skipsBad: true })
    assert.deepEqual(
      result.errors.map(({ line, code }) => `${line} ${code}`),
      ['1 unique_violation', '2 invalid_json', '4 unique_violation', '5 invalid_json'],
    )
    assert.deepEqual([result.created, result.bad, result.documents], [1, 4, 5])
  })

  it('ends where too much is bad', async () => {
    const store = new NotingStore()
    const file = inPieces('x\n'.repeat(100_001))
    await fails(load(store, file, { skipsBad: true }), 'too_many_bad_lines', /more than 100000/)
    assert.deepEqual(store.calls, ['discard'])
  })

  it('is begun by nobody who may not create, or not update where it replaces', async () => {
    const store = new NotingStore()
    const context = { imports, store, directory: () => ({ apps: new Map([['app', APP]]) }), limits: LIMITS }
    for (const [permission, onConflict] of [
      [['read', 'update'], 'skip'],
      [['read', 'create'], 'replace'],
    ] as const) {
      const principal = { ...PRINCIPAL, rules: { ...UNLIMITED, permission } }
      const input = {
        app: 'app',
        collection: 'c',
        format: 'ndjson',
        ejson: false,
        skipsBad: false,
        onConflict,
      }
      const rest = { isCheck: false, file: inPieces('{}'), isCommand: false, isCancelled: () => false }
      const reauthorise = async () => principal
      const importing = importDocuments(context as unknown as OperationContext, principal, {
        ...input,
        ...rest,
        reauthorise,
      })
      await fails(importing, 'permission_denied', /may not/)
    }
    assert.equal(store.command, undefined)
  })

  it('ends within seconds where it is allowed no longer, and at its end at the latest', async () => {
    const gone = async (): Promise<never> => {
      throw new AppError('app_not_found', 'it is gone')
    }
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.from('{"a":1}\n'.repeat(1000))
    }
    let seconds = 0
    const late = new NotingStore()
    const importing = load(late, endless(), { reauthorise: gone }, () => 1000 * seconds++)
    await fails(importing, 'app_not_found', /gone/)
    assert.deepEqual(late.calls, [...Array.from({ length: 4 }, () => 'add'), 'discard'])

    const viewer = { ...PRINCIPAL, rules: { ...UNLIMITED, permission: ['read'] as const } }
    const short = new NotingStore()
    const refused = load(short, inPieces('{"a":1}'), { reauthorise: async () => viewer })
    await fails(refused, 'permission_denied', /may not/)
    assert.deepEqual(short.calls, ['add', 'discard'])
  })

  it('is one of four at most, and of two of an account, keeps no preview waiting, and ends with the server', async () => {
    const threads = new ImportThreads({ limits: LIMITS, onFailure })
    const options = {
      ...({ format: 'ndjson', delimiter: ',' } as const),
      ...{ isExtended: false, types: new Map(), skipsBad: false, isCheck: false },
    }
    const never: AsyncIterable<Buffer> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    }
    const begun = ['ada', 'ada', 'bob'].map((account) => threads.read(never, options, account).next())
    await fails(threads.read(never, options, 'ada').next(), 'rate_limited', /wait until one of them has/)
    begun.push(threads.read(never, options).next())
    await fails(threads.read(never, options, 'bob').next(), 'overloaded', /too many files/)
    const preview = { format: 'ndjson', delimiter: undefined, isExtended: false, types: new Map() } as const
    assert.match(await threads.preview(Buffer.from('{"a":1}\n'), preview), /"documents":\["\{/)
    threads.close()
    for (const each of begun) await fails(each, 'store_unavailable', /stopping/)
    await fails(threads.read(never, options).next(), 'store_unavailable', /stopping/)
  })
})
