import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distinctAddresses, emptyRegisters, mergeRegisters, noteAddress } from './distinct-addresses.ts'

const SALT = Buffer.alloc(16, 7)

function registersOf(addresses: readonly string[], salt: Uint8Array = SALT): Uint8Array {
  const registers = emptyRegisters()
  for (const address of addresses) noteAddress(registers, { salt, app: 'a', address })
  return registers
}

function addresses(from: number, to: number): string[] {
  return Array.from(
    { length: to - from },
    (_, i) => `10.${(from + i) >> 16}.${((from + i) >> 8) & 255}.${(from + i) & 255}`,
  )
}

describe('distinct addresses', () => {
  it('are none where none came, and each once however often it came', () => {
    assert.equal(distinctAddresses(emptyRegisters()), 0)
    assert.equal(distinctAddresses(registersOf(['::1', '::1', '10.0.0.1'])), 2)
  })

  it('are counted within 5 %, few and many', () => {
    for (const count of [10, 1000, 10_000, 40_000]) {
      const estimate = distinctAddresses(registersOf(addresses(0, count)))
      assert.ok(Math.abs(estimate - count) / count <= 0.05, `${estimate} for ${count}`)
    }
  })

  it('add up over threads, those of both once', () => {
    const sum = registersOf(addresses(0, 600))
    mergeRegisters(sum, registersOf(addresses(300, 900)))
    assert.deepEqual(sum, registersOf(addresses(0, 900)))
  })

  it('take nothing from registers of another count', () => {
    const registers = registersOf(['::1'])
    mergeRegisters(registers, new Uint8Array(16).fill(9))
    assert.deepEqual(registers, registersOf(['::1']))
  })

  it('have nothing in common with those under another salt', () => {
    assert.notDeepEqual(registersOf(['::1']), registersOf(['::1'], Buffer.alloc(16, 8)))
  })
})
