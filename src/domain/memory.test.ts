import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { divideMemory, UNBOUNDED_MEMORY } from './memory.ts'

const MIB = 1024 * 1024
const TWO_CORES = { storageThreads: 4, httpThreads: 1 }

describe('memory', () => {
  it('of 512 MiB leaves 245.3 for what clients have under way, and bodies of 26 MiB', () => {
    // 448, less a 24th and a 32nd of it, less 170.
    const shares = divideMemory({ bytes: 512 * MIB, isDedicated: true }, TWO_CORES)
    assert.equal(Math.floor(shares.budgetBytes / MIB), 245)
    assert.equal(Math.floor(shares.bodyBytes / MIB), 26)
    assert.deepEqual(shares.heap, { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 7 })
    assert.ok(shares.isSufficient)
  })

  it('of a machine with 512 MiB is taken for three quarters', () => {
    const shares = divideMemory({ bytes: 512 * MIB, isDedicated: false }, TWO_CORES)
    // 384, less 16, less 12, less 170.
    assert.equal(shares.budgetBytes, 186 * MIB)
  })

  it('of 128 MiB is too little, and divided all the same', () => {
    const shares = divideMemory({ bytes: 128 * MIB, isDedicated: true }, TWO_CORES)
    assert.ok(!shares.isSufficient)
    assert.equal(shares.budgetBytes, 16 * MIB)
  })

  it('of 16 GiB is plenty: what is kept is as large as is of use', () => {
    const shares = divideMemory({ bytes: 16 * 1024 * MIB, isDedicated: false }, TWO_CORES)
    const { budgetBytes, bodyBytes, ...others } = shares
    const { budgetBytes: _, bodyBytes: __, ...plenty } = UNBOUNDED_MEMORY
    assert.deepEqual(others, plenty)
    assert.ok(budgetBytes > 10 * 1024 * MIB && bodyBytes > 1024 * MIB)
  })
})
