import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FindCommand, ReadReport } from '../store.ts'
import { countByPieces, findByPieces, type Readers } from './find-by-pieces.ts'
import { HeldPlaces } from './held-places.ts'
import { PUT_OFF, type ReadRequest } from './protocol/requests.ts'

const EXAMINED = 1000
const PIECE = {
  ...{ text: '', found: 0, skipped: 0, count: 0, done: false },
  plan: { kind: 'scan', examined: EXAMINED },
}
const ALLOWANCE = { deadlineMs: 60_000, held: new HeldPlaces() }

/** Readers that go through a collection without end; they tell what they were asked. */
function endless({ putsOff = false } = {}): { readers: Readers; asked: string[] } {
  const asked: string[] = []
  const reader = (name: string) => ({
    call: async <Result>(request: ReadRequest): Promise<Result> => {
      asked.push(`${name} ${request.kind}`)
      if (name === 'quick' && putsOff) return PUT_OFF as Result
      return { ...PIECE, after: asked.length * EXAMINED } as Result
    },
  })
  return { readers: { quick: () => reader('quick'), scan: () => reader('scan') }, asked }
}

/** A read whose client goes away after so many pieces. */
function commandOf(asked: readonly string[], pieces: number) {
  const reports: ReadReport[] = []
  const command = {
    ...{ app: 'a', collection: 'c', sort: [], skip: 0, limit: 10 },
    filter: { kind: 'in', path: ['x'], values: [1] } as FindCommand['filter'],
    isCancelled: () => asked.length >= pieces,
    onReport: (report: ReadReport) => reports.push(report),
  }
  return { command, reports }
}

describe('a read by pieces', () => {
  for (const [what, read, kind] of [
    ['a list', findByPieces, 'find'],
    ['a count', countByPieces, 'count'],
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
