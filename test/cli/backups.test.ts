import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { failure, json, success } from './in-process.ts'
import { feedSheaf, runSheaf, storeFolder, temporaryFolder } from './run-sheaf.ts'

describe('sheaf backup and sheaf restore', () => {
  it('move a whole data folder, by a file that is its owner’s alone', async (t) => {
    const data = await storeFolder(t)
    await success(['app', 'create', 'shop', '--data', data])
    await success(['key', 'create', '--name', 'web', '--app', 'shop', '--data', data])
    const file = join(temporaryFolder(t), 'all.zip')
    const told = await success(['backup', file, '--data', data])
    const bytes = statSync(file).size
    assert.match(
      told,
      new RegExp(`^${file} is a backup of 1 app, ${bytes} bytes long, and was read back\\.\nIt has what`),
    )
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const restored = join(temporaryFolder(t), 'new')
    assert.match(
      await success(['restore', file, '--data', restored]),
      new RegExp(`^${restored} has 1 app with 0 documents, as they were at 20\\S+Z\\.\n$`),
    )
    assert.match(await success(['app', 'list', '--data', restored]), /\nshop /)
    assert.match(await success(['key', 'list', '--data', restored]), /\nweb /)
    assert.match(
      await failure(['restore', file, '--data', restored]),
      /a restore takes an empty folder, and there is "control.sqlite" in it$/,
    )
  })

  it('say what it means that secrets are left out', async (t) => {
    const data = ['--data', await storeFolder(t)]
    const file = join(temporaryFolder(t), 'all.zip')
    assert.match(
      await success(['backup', file, '--no-secrets', ...data]),
      /\nIt has no passwords, second factors/,
    )
    const restored = join(temporaryFolder(t), 'new')
    assert.match(
      await success(['restore', file, '--data', restored]),
      /\nThe backup has no secrets: nobody can sign in/,
    )
  })

  it('move one app into a store that there is, under a new name', async (t) => {
    const data = await storeFolder(t)
    for (const slug of ['shop', 'blog']) await success(['app', 'create', slug, '--data', data])
    await success(['key', 'create', '--name', 'web', '--app', 'shop', '--data', data])
    const [one, all] = ['one.zip', 'all.zip'].map((name) => join(temporaryFolder(t), name)) as [
      string,
      string,
    ]
    assert.match(
      await success(['backup', one, '--app', 'shop', '--data', data]),
      /is a backup of the app shop, /,
    )
    await success(['backup', all, '--data', data])
    const other = await storeFolder(t)
    assert.equal(
      await success(['restore', one, '--app', 'store', '--data', other]),
      'App store is made, with 0 documents.\nKeys that work as they did: web.\n',
    )
    assert.deepEqual(await json(['restore', all, '--app', 'again', '--from', 'shop', '--data', other]), {
      ...{ slug: 'again', documents: 0, collections: 0 },
      keys: { made: [], renamed: [], leftOut: ['web'] },
    })
    const refused: [args: string[], message: RegExp][] = [
      [
        ['restore', all, '--app', 'more'],
        /this is a backup of several apps; say which one is wanted \(--from\): "\w+", "\w+"$/,
      ],
      [
        ['restore', all, '--app', 'more', '--from', 'none'],
        /the backup has no app "none"; it has "\w+", "\w+"$/,
      ],
      [['restore', one, '--app', 'store'], /there is an app "store" already/],
      [['restore', one, '--app', '../x'], /"\.\.\/x" can't be an app's slug/],
      [['restore', one, '--from', 'shop'], /--from goes with --app/],
      [['restore', `${one}.gone`, '--app', 'more'], /one\.zip\.gone can't be read: ENOENT/],
      [['backup', join(one, 'x.zip')], /x\.zip can't be made: \/\S+\/one\.zip is no folder$/],
      [
        ['backup', join(other, 'gone', 'x.zip')],
        /x\.zip can't be made: the folder \/\S+\/gone doesn't exist$/,
      ],
      [['backup', other], /is no file; name a new one/],
      [['backup', join(one, '..', 'b.zip'), '--app', 'none'], /there is no app "none"/],
    ]
    for (const [args, message] of refused) assert.match(await failure([...args, '--data', other]), message)
    assert.deepEqual(
      ((await json(['app', 'list', '--data', other])) as { slug: string }[]).map(({ slug }) => slug),
      ['again', 'store'],
    )
    assert.deepEqual(readdirSync(join(other, 'tmp')), [])
  })

  it('go by standard output and input, too', async (t) => {
    const data = await storeFolder(t)
    await success(['app', 'create', 'shop', '--data', data])
    const file = join(temporaryFolder(t), 'all.zip')
    await success(['backup', file, '--data', data])
    const restored = join(temporaryFolder(t), 'new')
    const { code, stderr } = await feedSheaf(['restore', '-', '--data', restored], readFileSync(file))
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const printed = await runSheaf(['backup', '-', '--data', restored])
    assert.deepEqual([printed.code, printed.stdout.slice(0, 2)], [0, 'PK'])
    assert.match(printed.stderr, /^It has what accounts sign in by[^\n]+\n$/)
    const withoutSecrets = await runSheaf(['backup', '-', '--no-secrets', '--data', restored])
    assert.deepEqual([withoutSecrets.code, withoutSecrets.stderr], [0, ''])
  })

  it('leave what was there where no good one can be made', async (t) => {
    const data = await storeFolder(t)
    await success(['app', 'create', 'shop', '--data', data])
    const file = join(temporaryFolder(t), 'all.zip')
    writeFileSync(file, 'the last one')
    const [app] = readdirSync(join(data, 'apps'))
    writeFileSync(join(data, 'apps', app!), Buffer.alloc(8192, 1))
    assert.match(
      await failure(['backup', file, '--data', data]),
      /the app "shop" is damaged, so that no good backup can be made/,
    )
    assert.equal(readFileSync(file, 'utf8'), 'the last one')
    assert.deepEqual(readdirSync(join(file, '..')), ['all.zip'])
    mkdirSync(join(data, 'other'))
    assert.match(await failure(['backup', file, '--data', join(data, 'other')]), /there is no Sheaf data in/)
    assert.equal(existsSync(join(data, 'other', 'tmp')), false)
  })
})
