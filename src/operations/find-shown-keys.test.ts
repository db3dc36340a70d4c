import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openAccountContext } from '../../test/account-context.ts'
import { emptyCell, OTHERS, type TrafficCell } from '../analytics/traffic.ts'
import { emptyDelta } from '../analytics/traffic-delta.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { describeTraffic } from './describe-traffic.ts'
import { exportTraffic } from './export-traffic.ts'

const NOW = Date.UTC(2026, 10, 29, 15, 30)
const HERE = Date.UTC(2026, 10, 29, 15) / 1000
const DAY = Date.UTC(2026, 10, 29) / 1000

it('keys that are not for an app alone are told of together, nameless, to those it is shared with', async (t) => {
  const test = await openAccountContext()
  t.after(() => test.close())
  test.clock.now = NOW
  const { accounts } = test.context
  const app = (await accounts.createApp({ slug: 'shop', owner: null }, 'test')).id
  const keyOf = async (name: string, rules: typeof UNLIMITED, digit: string): Promise<string> =>
    (await accounts.createKey({ owner: null, name, hash: digit.repeat(64), rules }, 'test')).id
  const web = await keyOf('web', UNLIMITED, '1')
  const own = await keyOf('own', { ...UNLIMITED, apps: ['shop'] }, '2')
  const { id } = await test.addAccount('eve')
  await accounts.setShare({ app: 'shop', account: id, role: 'viewer' }, 'test')
  const { caller } = await test.enter('eve@example.org')
  const cell = (requests: number, key: string, collection = 'things'): TrafficCell => ({
    ...emptyCell({ key, collection, operation: 'find', status: 200 }),
    requests,
  })
  const cells = [cell(5, web), cell(4, 'gone'), cell(3, own), cell(2, ''), cell(1, OTHERS, OTHERS)]
  const example = { at: HERE * 1000, method: 'GET', path: '/x', requestId: 'r' }
  const examples = ['web', 'own', ''].map((key) => ({ ...example, key }))
  await accounts.addTraffic({
    ...emptyDelta(),
    hours: [{ app, at: HERE, cells }],
    errors: [{ app, day: DAY, code: 'x', status: 400, count: 3, examples }],
  })

  const input = { app: 'shop', range: 'hour' }
  const { breakdown, errors } = await describeTraffic(test.context, caller, input)
  assert.deepEqual(
    breakdown.keys.map((row) => [row.id, row.name, row.withheld, row.others, row.requests]),
    [
      [undefined, undefined, true, undefined, 9],
      [own, 'own', undefined, undefined, 3],
      ['', null, undefined, undefined, 2],
      [undefined, undefined, undefined, true, 1],
    ],
  )
  assert.deepEqual(breakdown.pairs[0]?.key, { withheld: true })
  assert.deepEqual(
    errors[0]?.examples.map(({ key }) => key),
    ['', 'own', null],
  )
  const { text } = await exportTraffic(test.context, caller, { ...input, table: 'pairs' })
  assert.equal(text.split('\r\n')[1], ',,true,things,find,,9,0,,,0,0')
  const requestsOf = async (key: string): Promise<number> =>
    (await describeTraffic(test.context, caller, { ...input, key })).totals.requests
  assert.deepEqual(await Promise.all([web, '?', 'none', own].map(requestsOf)), [0, 0, 0, 3])
})
