import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FindCommand, ReadReport } from '../../store.ts'
import { DEFERRED, type ReadRequest } from '../protocol/requests.ts'
import { countInChunks, findInChunks, type Readers } from './chunked-find.ts'
import { ResultMemoryLimit } from './result-memory-limit.ts'

const EXAMINED = 1000
const CHUNK = {
  ...{ text: '', found: 0, skipped: 0, count: 0, done: false },
  plan: { kind: 'scan', examined: EXAMINED },
}
const ALLOWANCE = { deadlineMs: 60_000, held: new ResultMemoryLimit() }

/** Readers that go through a collection without end; they tell what they were asked. */
function endless({ putsOff = false } = {}): { readers: Readers; asked: string[] } {
  const asked: string[] = []
  const reader = (name: string) => ({
    call: async <Result>(request: ReadRequest): Promise<Result> => {
      asked.push(`${name} ${request.kind}`)
      if (name === 'quick' && putsOff) return DEFERRED as Result
      return { ...CHUNK, after: asked.length * EXAMINED } as Result
    },
  })
  return { readers: { foreground: () => reader('quick'), background: () => reader('scan') }, asked }
}

/** A read whose client goes away after so many chunks. */
function commandOf(asked: readonly string[], chunks: number) {
  const reports: ReadReport[] = []
  const command = {
    ...{ app: 'a', collection: 'c', sort: [], skip: 0, limit: 10 },
    filter: { kind: 'in', path: ['x'], values: [1] } as FindCommand['filter'],
    isCancelled: () => asked.length >= chunks,
    onReport: (report: ReadReport) => reports.push(report),
  }
  return { command, reports }
}

describe('a read by pieces', () => {
  for (const [what, read, kind] of [
    ['a list', findInChunks, 'find'],
    ['a count', countInChunks, 'count'],
  ] as const) {
    it(`that is given up is reported with what it has cost: ${what}`, async () => {
      const { readers, asked } = endless()
      const { command, reports } = commandOf(asked, 3)
      await assert.rejects(read(readers, command, ALLOWANCE), { code: 'deadline_exceeded' })
      const later = kind === 'find' ? 'scan scan' : 'scan count'
      assert.deepEqual(asked, [`quick ${kind}`, later, later])
      assert.deepEqual(
        reports.map(({ plan, returned }) => ({ plan, returned })),
        [{ plan: { kind: 'scan', examined: 3 * EXAMINED }, returned: 0 }],
      )
    })

    it(`that is put off begins at a scan reader: ${what}`, async () => {
      const { readers, asked } = endless({ putsOff: true })
      const { command } = commandOf(asked, 2)
      await assert.rejects(read(readers, command, ALLOWANCE), { code: 'deadline_exceeded' })
      assert.deepEqual(asked, [`quick ${kind}`, `scan ${kind}`])
    })
  }
})
