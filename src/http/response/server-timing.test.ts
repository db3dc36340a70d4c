import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pointTiming, serverTiming } from './server-timing.ts'

function byIndex(index: string): string {
  return serverTiming({ plan: { kind: 'index', index, examined: 3 }, returned: 2, milliseconds: 1.234 })
}

describe('the header Server-Timing', () => {
  it('lets no name of a field out of its quotes', () => {
    const value = byIndex('a"\\\r\nSet-Cookie: x\u0000é\ud800')
    assert.equal(value, 'store;dur=1.23;desc="index:a%22%5C%0D%0ASet-Cookie:%20x%00%C3%A9%EF%BF%BD"')
  })

  it('cuts a long name', () => {
    assert.equal(byIndex('n'.repeat(5000)), `store;dur=1.23;desc="index:${'n'.repeat(200)}"`)
  })

  it('tells the time and the plan in short', () => {
    assert.deepEqual(byIndex('city,age:-1'), 'store;dur=1.23;desc="index:city,age:-1"')
    const scan = serverTiming({ plan: { kind: 'scan', examined: 9 }, returned: 0, milliseconds: 20 })
    assert.deepEqual(scan, 'store;dur=20.00;desc="scan"')
    assert.deepEqual(pointTiming(0.004), 'store;dur=0.00;desc="id"')
  })

  it('says that an answer came from memory', () => {
    assert.equal(serverTiming(undefined), 'store;dur=0.00;desc="memory"')
  })
})
