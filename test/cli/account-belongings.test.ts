import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '../../src/credentials/secret.ts'
import { createApp } from '../../src/operations/create-app.ts'
import { createKey } from '../../src/operations/create-key.ts'
import { ADA, accountStore, BOB, DAY_MS, type ShownAccount } from './account-store.ts'
import { json } from './in-process.ts'

test('a token is shown once, may do what it was made for, and is ended', async (t) => {
  const { account, read, refused, create, accounts } = await accountStore(t)
  await create(ADA, '--operator')
  await create(BOB)
  const shown = (
    await account(`token create ${ADA} --name ci --permission write,read --expires 30d`)
  ).trimEnd()
  assert.match(shown, /^shfa_[\w-]{43}$/)
  const { token } = (await accounts.findToken(hashSecret(shown)))!
  assert.deepEqual(token.permissions, ['read', 'write'])
  assert.ok(Math.abs(token.expiresAt - Date.now() - 30 * DAY_MS) < 60_000)
  interface Token {
    readonly token?: string
    readonly name: string
    readonly permissions: string[]
    readonly expires: string
    readonly lastUsedAt: null
  }
  const second = await read<Token>(`token create ${ADA} --name deploy --permission server`)
  assert.match(second.token ?? '', /^shfa_/)
  assert.ok(Math.abs(Date.parse(second.expires) - Date.now() - 90 * DAY_MS) < 60_000)
  const listed = await read<Token[]>(`token list ${ADA}`)
  assert.deepEqual(
    listed.map(({ name, permissions, token: none }) => [name, permissions, none]),
    [
      ['ci', ['read', 'write'], undefined],
      ['deploy', ['server'], undefined],
    ],
  )
  assert.match(
    await account(`token list ${ADA}`),
    /^NAME +PERMISSIONS +ENDS .*\nci +read,write +20\S+Z +\S+Z +never\n/,
  )
  const create2 = `token create ${BOB} --name ci`
  for (const [words, why] of [
    [create2, /required option '--permission <permissions>' not specified/],
    [`token create ${BOB} --permission read`, /required option '--name <name>' not specified/],
    [`${create2} --permission all`, /at least one permission of read, write, apps, server/],
    [`${create2} --permission server`, /only a token of an operator/],
    [`${create2} --permission read --expires never`, /a token ends after 400d at the latest/],
    [`${create2} --permission read --expires 401d`, /a token ends after 400d at the latest/],
    [`token create ${ADA} --name ci --permission read`, /there is a token "ci" already/],
    ['token create nobody@example.org --name ci --permission read', /there is no such account/],
    [`token revoke ${BOB} ci`, /the account has no such token/],
    [`token create ${BOB} --name ${shown} --permission read`, /it is a token itself/],
  ] as const)
    assert.match(await refused(words), why)
  assert.equal(await account(`token revoke ${ADA} ci`), 'Token ci is revoked.\n')
  assert.equal(await accounts.findToken(hashSecret(shown)), undefined)
})

test('an account is deleted when it was said what becomes of its apps', async (t) => {
  const { account, read, refused, create, accounts, data } = await accountStore(t)
  await create(ADA, '--operator')
  assert.match(await refused(`delete ${ADA}`), /this is the last operator/)
  const owned = async (email: string, slugs: readonly string[]): Promise<void> => {
    await create(email)
    const owner = (await accounts.findAccount({ email }))!.id
    const context = { control: accounts, actor: 'test', owner, now: Date.now }
    for (const slug of slugs) await createApp(context, slug)
    await createKey(context, { name: 'web' })
  }
  await owned(BOB, ['garden', 'shop'])
  assert.match(
    await refused(`delete ${BOB}`),
    /^bob@example.org has the apps garden, shop and 1 key; --apps delete deletes all of it, --apps operator leaves/,
  )
  assert.match(await refused(`delete ${BOB} --apps none`), /apps should be delete or operator/)
  assert.equal((await read<ShownAccount[]>('list')).length, 2)
  assert.equal(
    await account(`delete ${BOB} --apps operator`),
    `Account ${BOB} is deleted; its apps are the operator's: garden, shop.\n`,
  )
  await owned('eve@example.org', ['blog'])
  assert.deepEqual(await read(`delete eve@example.org --apps delete`), {
    ...{ email: 'eve@example.org', deleted: true, deletedApps: ['blog'] },
  })
  const apps = (await json(['app', 'list', ...data])) as { slug: string }[]
  assert.deepEqual(
    apps.map(({ slug }) => slug),
    ['garden', 'shop'],
  )
  await create('plain@example.org')
  assert.equal(await account('delete plain@example.org'), 'Account plain@example.org is deleted.\n')
})
