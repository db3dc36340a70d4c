import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../errors.ts'
import type { FindCommand, ReadReport } from '../../store.ts'
import { compileFilter } from '../compile/compile-filter.ts'
import { DEFERRED, type ReadRequest } from '../protocol/requests.ts'
import { writeCursor } from '../read/keyset-cursor.ts'
import type { Readers } from './begin-read.ts'
import { countInChunks, findInChunks } from './chunked-find.ts'
import { ResultMemoryLimit } from './result-memory-limit.ts'

const EXAMINED = 1000
const FILTER: FindCommand['filter'] = { kind: 'in', path: ['x'], values: [1] }
const COMPILED = compileFilter(FILTER)
const CHUNK = {
  ...{ text: '', found: 0, skipped: 0, count: 0, collection: 1, done: false },
  plan: { kind: 'scan', examined: EXAMINED },
}
const ALLOWANCE = { deadlineMs: 60_000, held: new ResultMemoryLimit() }

/** Readers that go through a collection without end; they tell what they were asked, and with which filters. */
function endless({ defers = false } = {}): { readers: Readers; asked: string[]; filters: unknown[] } {
  const asked: string[] = []
  const filters: unknown[] = []
  const reader = (name: string) => ({
    call: async <Result>(request: ReadRequest): Promise<Result> => {
      asked.push(`${name} ${request.kind}`)
      if ('filter' in request) filters.push(request.filter)
      if (name === 'foreground' && defers) return DEFERRED as Result
      return { ...CHUNK, filter: COMPILED, after: asked.length * EXAMINED } as Result
    },
  })
  const readers = { foreground: () => reader('foreground'), background: () => reader('background') }
  return { readers, asked, filters }
}

/** A read whose client goes away after so many chunks. */
function commandOf(asked: readonly string[], chunks: number) {
  const reports: ReadReport[] = []
  const command = {
    ...{ app: 'a', collection: 'c', sort: [], skip: 0, limit: 10 },
    filter: FILTER,
    isCancelled: () => asked.length >= chunks,
    onReport: (report: ReadReport) => reports.push(report),
  }
  return { command, reports }
}

describe('a read in chunks', () => {
  for (const [what, read, kind] of [
    ['a list', findInChunks, 'find'],
    ['a count', countInChunks, 'count'],
  ] as const) {
    it(`that is given up is reported with what it has cost: ${what}`, async () => {
      const { readers, asked } = endless()
      const { command, reports } = commandOf(asked, 3)
      await assert.rejects(read(readers, command, ALLOWANCE), { code: 'deadline_exceeded' })
      const later = `background ${kind === 'find' ? 'scan' : 'resumeCount'}`
      assert.deepEqual(asked, [`foreground ${kind}`, later, later])
      assert.deepEqual(
        reports.map(({ plan, returned }) => ({ plan, returned })),
        [{ plan: { kind: 'scan', examined: 3 * EXAMINED }, returned: 0 }],
      )
    })

    it(`has its filter compiled for the first chunk alone: ${what}`, async () => {
      const { readers, asked, filters } = endless()
      await assert.rejects(read(readers, commandOf(asked, 3).command, ALLOWANCE))
      assert.deepEqual(filters, [FILTER, COMPILED, COMPILED])
    })

    it(`that is deferred begins at a background reader: ${what}`, async () => {
      const { readers, asked } = endless({ defers: true })
      const { command } = commandOf(asked, 2)
      await assert.rejects(read(readers, command, ALLOWANCE), { code: 'deadline_exceeded' })
      assert.deepEqual(asked, [`foreground ${kind}`, `background ${kind}`])
    })

    it(`tells the thread that does it in one go when its client goes away: ${what}`, async () => {
      const { readers } = endless({ defers: true })
      const { command } = commandOf([], 1)
      let isGone = false
      const busy = {
        async call<Result>(request: ReadRequest): Promise<Result> {
          const { cancelled } = request as { cancelled: Int32Array }
          assert.equal(cancelled[0], 0)
          isGone = true
          while (Atomics.load(cancelled, 0) === 0) await setImmediate()
          throw new AppError('deadline_exceeded', 'it has ended')
        },
      }
      const watched = { ...command, isCancelled: () => isGone }
      const reading = read({ ...readers, background: () => busy }, watched, ALLOWANCE)
      await assert.rejects(reading, { message: 'it has ended' })
    })
  }

  it('that may answer a part ends where it was read up to when its time is over, with what it has cost', async () => {
    const { readers, asked } = endless()
    const { command, reports } = commandOf(asked, 3)
    const { documents, ...part } = await findInChunks(
      readers,
      { ...command, wantsEnd: true, partialAfterMs: -1 },
      ALLOWANCE,
    )
    assert.equal(documents!(), 0)
    const end = writeCursor({ collection: 1, rowId: EXAMINED, keys: [] })
    assert.deepEqual(part, { first: '[]', end })
    assert.deepEqual(
      reports.map(({ plan }) => plan.examined),
      [EXAMINED],
    )
  })

  for (const [what, more] of [
    ['has documents to skip', { wantsEnd: true, skip: 1 }],
    ['is asked for no end', {}],
    ['has time left', { wantsEnd: true, partialAfterMs: 60_000 }],
  ] as const)
    it(`that may answer a part goes on as long as it ${what}`, async () => {
      const { readers, asked } = endless()
      const { command } = commandOf(asked, 3)
      const read = findInChunks(readers, { ...command, partialAfterMs: -1, ...more }, ALLOWANCE)
      await assert.rejects(read, { code: 'deadline_exceeded' })
      assert.equal(asked.length, 3)
    })
})
