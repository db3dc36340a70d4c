import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseExposition } from '../../test/parse-exposition.ts'
import { exposition } from './exposition.ts'

describe('the text format of metrics', () => {
  it('is that of Prometheus, byte by byte', () => {
    const text = exposition([
      { name: 'sheaf_up', help: 'Whether it is up.', type: 'gauge', samples: [{ value: 1 }] },
      { name: 'sheaf_none', help: 'Left out.', type: 'gauge', samples: [] },
      {
        name: 'sheaf_requests_total',
        help: 'A \\ and\na line.',
        type: 'counter',
        samples: [{ labels: { area: 'api', status: '200' }, value: 12 }],
      },
    ])
    assert.equal(
      text,
      '# HELP sheaf_up Whether it is up.\n# TYPE sheaf_up gauge\nsheaf_up 1\n' +
        '# HELP sheaf_requests_total A \\\\ and\\na line.\n# TYPE sheaf_requests_total counter\n' +
        'sheaf_requests_total{area="api",status="200"} 12\n',
    )
  })

  it('keeps hostile labels inside their quotes', () => {
    const hostile = ['"} 1\nsheaf_fake 1\n', '\\', '\\"', 'a,b="c"', '💥\u0000\r', '{}', '']
    const samples = hostile.map((app) => ({ labels: { app }, value: 1 }))
    const families = parseExposition(exposition([{ name: 'x', help: 'h', type: 'gauge', samples }]))
    assert.deepEqual([...families.keys()], ['x'])
    assert.deepEqual(
      families.get('x')!.samples.map(({ labels }) => labels.app),
      hostile,
    )
  })

  it('writes what is no ordinary number as Prometheus does', () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 0.1, -0]
    const samples = values.map((value, index) => ({ labels: { n: String(index) }, value }))
    const text = exposition([{ name: 'x', help: 'h', type: 'gauge', samples }])
    assert.deepEqual(
      text
        .split('\n')
        .slice(2, -1)
        .map((line) => line.split(' ')[1]),
      ['NaN', '+Inf', '-Inf', '1e+21', '0.1', '0'],
    )
  })
})
