import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { metricFamilies } from '../../src/metrics/metric-families.ts'
import { METRIC_FACTS } from '../metric-facts.ts'
import { code, ROOT, readPage, tableRows } from './page.ts'

const NAMES = metricFamilies(METRIC_FACTS).map(({ name }) => name)
const METRIC = /\b(?:sheaf|process)_[a-z_]+/g

describe('the page on monitoring', () => {
  it('names every metric, and no other', () => {
    const rows = tableRows(readPage('docs/operations/monitoring.md'), 'metric', 'labels', 'is')
    assert.deepEqual(
      rows.map(([name = '']) => code(name)),
      NAMES,
    )
  })

  for (const file of ['alert-rules.yml', 'grafana-dashboard.json'])
    it(`has with ${file} nothing that asks for metrics that are not there`, () => {
      const text = readFileSync(join(ROOT, 'docs/operations', file), 'utf8')
      const asked = new Set(Array.from(text.matchAll(METRIC), ([name]) => name.replace(/_bucket$/, '')))
      assert.ok(asked.size > 10)
      assert.deepEqual(
        [...asked].filter((name) => !NAMES.includes(name)),
        [],
      )
    })
})
