import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, accountStore } from './account-store.ts'

test('a quota is set for all accounts and for one, limit by limit, and what is no limit is refused', async (t) => {
  const { account, read, refused, create } = await accountStore(t)
  await create('root@example.org', '--operator')
  await create(ADA)
  const none = { apps: null, keys: null, bytes: null, requestsPerDay: null }
  assert.deepEqual(await read('quota'), none)
  await account('quota --apps 3 --bytes 100MiB')
  const forAll = { ...none, apps: 3, bytes: 104_857_600 }
  assert.deepEqual(await read('quota --apps 3'), forAll)
  const { own, limits } = await read<{ own: unknown; limits: unknown }>(
    `quota ${ADA} --bytes none --requests-per-day 7`,
  )
  assert.deepEqual(own, { bytes: null, requestsPerDay: 7 })
  assert.deepEqual(limits, { apps: 3, keys: null, bytes: null, requestsPerDay: 7 })
  const used = { apps: 0, keys: 0 }
  const again = await read(`quota ${ADA} --bytes default --requests-per-day default`)
  assert.deepEqual(again, { own: null, limits: forAll, used })
  assert.equal(
    await account(`quota ${ADA} --keys 0`),
    [
      'LIMIT           IT MAY HAVE  SET FOR  IT HAS',
      'apps            3            default  0',
      'keys            0            account  0',
      'bytes           104857600    default',
      'requestsPerDay  no limit     default',
      '',
    ].join('\n'),
  )
  for (const wrong of ['--apps -1', '--apps 1.5', '--keys 3MiB', '--bytes 2MB', '--bytes 9999999TiB'])
    assert.match(await refused(`quota ${wrong}`), /takes a whole number from 0/)
  assert.match(await refused('quota nobody@example.org'), /there is no such account/)
  assert.match(await refused('quota root@example.org --apps 1'), /an operator has no quota/)
})
