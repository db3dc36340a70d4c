import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RunNotes } from './run-notes.ts'

const MIDNIGHT = Date.UTC(2026, 10, 30) / 1000

describe('the run of a server', () => {
  it('is one from its start on, until a day begins, the machine has slept or the clock is put back', () => {
    const startedAt = MIDNIGHT - 3 * 86_400
    const notes = new RunNotes({ startedAt: startedAt * 1000, now: (MIDNIGHT - 90) * 1000 })
    const at = (seconds: number) => {
      const { from, to } = notes.at((MIDNIGHT + seconds) * 1000 + 5)
      return [from - MIDNIGHT, to - MIDNIGHT]
    }
    assert.deepEqual(at(-30), [-3 * 86_400, -30])
    assert.deepEqual(at(30), [-30, 30])
    assert.deepEqual(at(150), [-30, 150])
    assert.deepEqual(at(271), [271, 271])
    assert.deepEqual(at(330), [271, 330])
    assert.deepEqual(at(60), [60, 60])
  })
})
