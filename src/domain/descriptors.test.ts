import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { divideDescriptors } from './descriptors.ts'

/** As on two cores. */
const TWO_CORES = { storageThreads: 4, httpThreads: 1, openConnections: 10_000 }

describe('descriptors', () => {
  it('are too few with 64, which is said with the number that is needed', () => {
    // 40, 9 threads of 8, 2 connections of 3, an app of 15, 8 connections.
    assert.throws(() => divideDescriptors(64, TWO_CORES), {
      code: 'invalid_configuration',
      message: /open 64 files at once, and with this number of threads it needs 141; raise the limit/,
    })
  })

  it('suffice with just as many as are named', () => {
    assert.deepEqual(divideDescriptors(141, TWO_CORES), { openConnections: 8, openApps: 1 })
  })

  it('of 256 leave 138: 3 apps of 15 for each thread to keep, and 93 connections', () => {
    assert.deepEqual(divideDescriptors(256, TWO_CORES), { openConnections: 93, openApps: 3 })
  })

  it('of 1,024 leave 906: 20 apps, and 606 connections', () => {
    assert.deepEqual(divideDescriptors(1024, TWO_CORES), { openConnections: 606, openApps: 20 })
  })

  it('of 4,096 leave 3,978: as many apps as are of use, and 3,018 connections', () => {
    assert.deepEqual(divideDescriptors(4096, TWO_CORES), { openConnections: 3018, openApps: 64 })
  })

  it('of 20,000 leave enough for all that is wanted', () => {
    assert.deepEqual(divideDescriptors(20_000, TWO_CORES), { openConnections: 10_000, openApps: 64 })
  })

  it('bound nothing where the system has no limit', () => {
    assert.deepEqual(divideDescriptors(undefined, TWO_CORES), { openConnections: 10_000, openApps: 64 })
  })
})
