import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { metricsTokenHashFrom } from './metrics.ts'

describe('the token for metrics', () => {
  it('is long and of what a header can carry', () => {
    for (const SHEAF_METRICS_TOKEN of [
      'short',
      'fifteen-letters',
      'sixteen letters!',
      'é'.repeat(20),
      `${'x'.repeat(16)}\n`,
    ])
      assert.throws(
        () => metricsTokenHashFrom({ SHEAF_METRICS_TOKEN }),
        ({ code, message }: { code: string; message: string }) =>
          code === 'invalid_configuration' && !message.includes(SHEAF_METRICS_TOKEN),
      )
  })

  it('is known by its hash alone', () => {
    assert.equal(metricsTokenHashFrom({}), undefined)
    assert.equal(metricsTokenHashFrom({ SHEAF_METRICS_TOKEN: '' }), undefined)
    const token = '0123456789abcdef'
    const expected = new Uint8Array(createHash('sha256').update(token).digest())
    assert.deepEqual(new Uint8Array(metricsTokenHashFrom({ SHEAF_METRICS_TOKEN: token })!), expected)
  })
})
