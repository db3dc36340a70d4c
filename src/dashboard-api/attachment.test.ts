import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachment } from './attachment.ts'

test('a name can end neither the header nor its parameter, whatever it holds', () => {
  const cases: [string, string][] = [
    ['shop-notes', `filename="shop-notes.csv"; filename*=UTF-8''shop-notes.csv`],
    ['a"; x=1', `filename="a_22_ x_1.csv"; filename*=UTF-8''a%2522%3B%20x%3D1.csv`],
    ['a\r\nX: 1', `filename="a_0D_0AX_3A 1.csv"; filename*=UTF-8''a%250D%250AX%253A%201.csv`],
    ["it's (é*)", `filename="it_s ___2A_.csv"; filename*=UTF-8''it%27s%20%28%C3%A9%252A%29.csv`],
    ['../../x', `filename="_2E._2F.._2Fx.csv"; filename*=UTF-8''%252E.%252F..%252Fx.csv`],
  ]
  for (const [name, parameters] of cases)
    assert.deepEqual(attachment({ name, ending: 'csv' }), [
      'Content-Disposition',
      `attachment; ${parameters}`,
    ])
})
