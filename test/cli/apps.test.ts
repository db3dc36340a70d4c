import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, json, success } from './in-process.ts'
import { storeFolder } from './run-sheaf.ts'

test('apps are made, listed and deleted', async (t) => {
  const data = ['--data', await storeFolder(t)]
  assert.equal(await success(['app', 'create', 'shop', ...data]), 'App shop is made.\n')
  assert.match(await failure(['app', 'create', 'shop', ...data]), /there is an app "shop" already/)
  assert.match(await failure(['app', 'create', 'Shop', ...data]), /"Shop" can't be an app's slug/)
  const blog = (await json(['app', 'create', 'blog', ...data])) as { slug: string; createdAt: string }
  assert.deepEqual(Object.keys(blog), ['slug', 'createdAt'])
  assert.ok(Math.abs(Date.parse(blog.createdAt) - Date.now()) < 60_000)
  const listed = (await json(['app', 'list', ...data])) as { slug: string }[]
  assert.deepEqual(
    listed.map((app) => app.slug),
    ['blog', 'shop'],
  )
  assert.match(await success(['app', 'list', ...data]), /^APP +CREATED\nblog +20\S+Z\nshop +20\S+Z\n$/)
  const { restorableUntil, ...rest } = (await json(['app', 'delete', 'shop', ...data])) as Record<
    string,
    string
  >
  assert.deepEqual(rest, { slug: 'shop', deleted: true })
  assert.ok(Math.abs(Date.parse(restorableUntil!) - Date.now() - 7 * 24 * 60 * 60 * 1000) < 60_000)
  assert.match(await failure(['app', 'delete', 'shop', ...data]), /there is no app "shop"/)
})

test('a deleted app is listed, restored, and removed at once where that is asked for', async (t) => {
  const data = ['--data', await storeFolder(t)]
  const list = (...more: string[]) => success(['app', 'list', ...more, ...data])
  await success(['app', 'create', 'shop', ...data])
  assert.match(
    await failure(['app', 'restore', 'shop', ...data]),
    /no deleted app "shop" that can be restored/,
  )
  assert.match(await failure(['app', 'restore', '../x', ...data]), /there is no app "\.\.\/x"/)
  const deleted = await success(['app', 'delete', 'shop', ...data])
  assert.match(
    deleted,
    /^App shop is deleted; until (20\S+Z) "sheaf app restore shop --data \S+" brings it back\.\n$/,
  )
  assert.match(
    await list('--deleted'),
    /^APP +CREATED +DELETED +RESTORABLE UNTIL\nshop +20\S+Z +20\S+Z +20\S+Z\n$/,
  )
  assert.match(await list(), /^APP +CREATED\n$/)
  assert.match(await failure(['app', 'create', 'shop', ...data]), /"shop" was deleted and can be restored/)
  assert.equal(await success(['app', 'restore', 'shop', ...data]), 'App shop is restored.\n')
  assert.match(await list(), /\nshop /)
  await success(['app', 'delete', 'shop', ...data])
  assert.equal(await success(['app', 'delete', 'shop', '--now', ...data]), 'App shop is removed.\n')
  assert.deepEqual(await json(['app', 'list', '--deleted', ...data]), [])
  await success(['app', 'create', 'shop', ...data])
  const removed = await json(['app', 'delete', 'shop', '--now', ...data])
  assert.deepEqual(removed, { slug: 'shop', deleted: true, restorableUntil: null })
  await success(['app', 'create', 'shop', ...data])
})

test('the tokens of all keys that open an app are ended at once', async (t) => {
  const data = ['--data', await storeFolder(t)]
  const end = (slug: string) => ['app', 'end-tokens', slug, ...data]
  for (const slug of ['shop', 'blog']) await success(['app', 'create', slug, ...data])
  await success(['key', 'create', '--name', 'web', '--app', 'shop', ...data])
  assert.equal(await success(end('shop')), 'Every token of 1 key of the app shop is void.\n')
  await success(['key', 'create', '--name', 'all', ...data])
  await success(['key', 'create', '--name', 'blog', '--app', 'blog', ...data])
  assert.deepEqual(await json(end('shop')), { slug: 'shop', tokensEnded: true, keys: 2 })
  for (const slug of ['absent', '../x']) assert.match(await failure(end(slug)), /there is no app/)
})

test('app update bounds all keys of an app, and app list tells it', async (t) => {
  const data = ['--data', await storeFolder(t)]
  const update = (...options: string[]) => ['app', 'update', 'shop', ...options, ...data]
  assert.match(await failure(update('--rate', '5/s')), /there is no app "shop"/)
  await success(['app', 'create', 'shop', ...data])
  assert.match(await failure(update()), /say what to change, .* "sheaf app update --help" lists/)
  assert.match(
    await failure(update('--document-bytes', 'many')),
    /documentBytes takes a whole number of bytes/,
  )
  assert.match(await failure(update('--address', '10.1.2.3/8')), /write 10\.0\.0\.0\/8 for the network/)
  assert.match(await failure(update('--address', '::1', '--all-addresses')), /cannot be used with/)
  const bounds = ['--address', '10.0.0.0/8', '--address', '::1', '--no-localhost', '--document-bytes', '2048']
  assert.equal(
    await success(update(...bounds)),
    'All keys of this app work only from the addresses 10.0.0.0/8 and ::1/128 and write documents of at most 2048 bytes.\n',
  )
  const settings = {
    addresses: ['10.0.0.0/8', '::1/128'],
    websites: 'all',
    localhost: false,
    rate: '5/min',
    documentBytes: null,
    keyDefaults: {},
  }
  const more = update(
    '--rate',
    '5/min',
    '--document-bytes',
    'none',
    '--no-key-defaults',
    '--auto-index',
    'on',
  )
  assert.deepEqual(await json(more), { slug: 'shop', autoIndex: true, settings })
  const [listed] = (await json(['app', 'list', ...data])) as { settings: unknown }[]
  assert.deepEqual(listed?.settings, settings)
})
