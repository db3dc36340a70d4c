import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DiskLevel, diskLevel } from './disk-level.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const BODY = { bodyBytes: 32 * MIB }

/** What is free and all there is, as it comes from `df`. */
const DISKS: readonly (readonly [free: number, all: number, level: DiskLevel])[] = [
  [0, 0, 'critical'],
  [0, 500 * GIB, 'critical'],
  [GIB - 1, 500 * GIB, 'critical'],
  [GIB, 500 * GIB, 'low'],
  [10 * GIB - 1, 500 * GIB, 'low'],
  [10 * GIB, 500 * GIB, 'enough'],
  // 2 and 10 % of 20 GiB are 0.4 and 2 GiB.
  [0.4 * GIB - 1, 20 * GIB, 'critical'],
  [0.4 * GIB + 1, 20 * GIB, 'low'],
  [2 * GIB - 1, 20 * GIB, 'low'],
  [2 * GIB, 20 * GIB, 'enough'],
  // A body of 32 MiB takes 64, and that twice is 128.
  [128 * MIB - 1, 2 * GIB, 'critical'],
  [128 * MIB, 2 * GIB, 'low'],
  [128 * MIB - 1, GIB, 'critical'],
  [128 * MIB, GIB, 'enough'],
]

describe('how near a disk is to being full', () => {
  it('goes by its size, by a fixed room on large ones, and by the longest write on small ones', () => {
    const levels = DISKS.map(([freeBytes, diskBytes]) => diskLevel({ freeBytes, diskBytes }, BODY))
    assert.deepEqual(
      levels,
      DISKS.map(([, , level]) => level),
    )
  })
})
