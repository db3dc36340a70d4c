import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Dashboard } from '../dashboard-api/start-dashboard.ts'
import { SELF_MADE_CERTIFICATE } from '../self-made-certificate.ts'
import { failure, json, runInProcess, success } from './in-process.ts'

interface Listed {
  readonly version: number
  readonly isLive: boolean
}

describe('a site that is deployed on the command line', () => {
  let dashboard: Dashboard
  let data: readonly string[]
  let site: string
  let address: string
  let token: string
  let appsToken: string

  before(async () => {
    dashboard = await Dashboard.start()
    data = ['--data', dashboard.server.folder]
    site = join(dashboard.server.folder, 'page')
    mkdirSync(join(site, 'parts'), { recursive: true })
    write('index.html', '<h1>One</h1>')
    write('parts/a.js', 'export {}')
    write('.env', 'SECRET')
    const owner = await dashboard.account('ada@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    const { Authorization } = await dashboard.token(owner, ['read', 'apps'])
    token = Authorization!.slice('Bearer '.length)
    const appsAlone = await dashboard.token(owner, ['apps'])
    appsToken = appsAlone.Authorization!.slice('Bearer '.length)
    address = `https://localhost:${dashboard.server.port}`
  })
  after(() => dashboard.close())

  const write = (name: string, text: string): void => writeFileSync(join(site, name), text)
  const deploy = (...more: string[]) => ['deploy', site, '--app', 'todo', ...more]
  const remote = (...more: string[]) => [...more, '--server', address, '--cacert', SELF_MADE_CERTIFICATE]
  const versions = async (): Promise<[number, boolean][]> => {
    const listed = await json(['deploy', '--app', 'todo', '--list', ...data])
    return (listed as Listed[]).map(({ version, isLive }) => [version, isLive])
  }

  it('says what is missing or too much, before it looks at anything', async () => {
    for (const [args, message] of [
      [['deploy', site], /required option '--app <slug>'/],
      [['deploy', '--app', 'todo'], /give a folder or a zip, or --list, or --rollback/],
      [['deploy', site, '--app', 'todo', '--list'], /give a folder or a zip/],
      [deploy('--cacert', 'x', ...data), /go with --server/],
      [deploy('--server', address, ...data), /name two servers/],
      [deploy('--server', address), /takes the token of an account/],
      [['deploy', join(site, 'none'), '--app', 'todo', ...data], /there is no file/],
      [['deploy', import.meta.filename, '--app', 'todo', ...data], /is neither a folder nor a zip file/],
      [deploy('--site-key', 'full', ...data), /name what its pages need/],
      [deploy('--site-key', 'raed', ...data), /"raed" can't be a permission/],
    ] as const)
      assert.match(await failure(args), message)
    const key = { SHEAF_TOKEN: 'x' }
    for (const url of [
      'http://localhost',
      'localhost:8443',
      'https://a:b@localhost',
      'https://localhost/_/',
      'x',
    ])
      assert.match((await runInProcess(deploy('--server', url), key)).stderr, /--server/)
    assert.match(
      (await runInProcess(deploy('--server', address), { SHEAF_TOKEN: 'a\nX: b' })).stderr,
      /no token has/,
    )
    assert.deepEqual(await versions(), [])
  })

  it('is online with its key, and what is hidden is not', async () => {
    const { code, stdout, stderr } = await runInProcess(
      deploy('--message', 'the first', '--site-key', 'read,create', ...data),
    )
    assert.deepEqual([code, stderr], [0, 'sheaf: left out: .env\n'])
    assert.equal(
      stdout,
      `Version 1 of todo is live: https://todo.localhost:${dashboard.server.port}\n2 files, 0.0 KiB\n` +
        'Key site todo: May read and create documents in every collection of the app todo from any address, only on pages ' +
        'of its site, as often as it likes, without an end; its tokens live for 10 days.\n',
    )
    assert.match(
      await success(['key', 'list', '--accounts', ...data]),
      /site todo +site key; read,create; apps todo/,
    )
    const again = await runInProcess(deploy('--site-key', 'read', '--draft', ...data))
    assert.match(again.stdout, /^Version 2 of todo is a draft: https:\/\/preview-2-todo\.localhost:\d+\n/)
    assert.match(again.stderr, /\nsheaf: the site has a key already, which stays as it is\n$/)
  })

  it('has versions that are listed, and goes back to the one before or to any', async () => {
    write('index.html', '<h1>Three</h1>')
    const made = (await json(deploy('--message', 'the third', ...data))) as Record<string, unknown>
    assert.deepEqual(
      [made.version, made.message, made.files, made.isLive, made.leftOut, made.leftOutCount],
      [3, 'the third', 2, true, [{ path: '.env', reason: 'hidden' }], 1],
    )
    const list = await success(['deploy', '--app', 'todo', '--list', ...data])
    assert.match(list, /^VERSION +LIVE .*\n3 +live .* 2 +0\.0 +the third\n2 .*\n1 .*the first\n$/)
    const back = (...to: string[]) => success(['deploy', '--app', 'todo', '--rollback', ...to, ...data])
    assert.match(await back('1'), /^Version 1 of todo is live: https:\/\/todo\.localhost/)
    assert.match(
      await failure(['deploy', '--app', 'todo', '--rollback', ...data]),
      /no version before 1 is kept/,
    )
    assert.match(await failure(['deploy', '--app', 'todo', '--rollback', '9', ...data]), /9/)
    assert.match(await failure(['deploy', '--app', 'todo', '--rollback', '-1', ...data]), /-1/)
    await back('3')
    assert.match(await back(), /^Version 2 of todo is live.*\nMade .* by /)
    assert.deepEqual(await versions(), [
      [3, false],
      [2, true],
      [1, false],
    ])
  })

  it('is deployed to a server elsewhere by a token, that is trusted by its certificate alone', async () => {
    const by = { SHEAF_TOKEN: token }
    write('new.txt', 'new')
    const untrusted = await runInProcess(deploy('--server', address), by)
    assert.match(untrusted.stderr, /has a certificate that is not trusted .*--cacert FILE/)
    const wrong = await runInProcess(remote(...deploy()), { SHEAF_TOKEN: 'wrong' })
    assert.deepEqual([wrong.code, /token/.test(wrong.stderr)], [1, true], wrong.stderr)
    const made = await runInProcess(remote(...deploy('--json')), by)
    assert.deepEqual(
      [JSON.parse(made.stdout).version, JSON.parse(made.stdout).author],
      [4, 'ada@example.org'],
    )
    const apps = { SHEAF_TOKEN: appsToken }
    const draft = await runInProcess(remote(...deploy('--draft', '--site-key', 'read')), apps)
    assert.deepEqual([draft.code, draft.stdout.split(' is ', 1)[0]], [0, 'Version 5 of todo'], draft.stderr)
    const refused = await runInProcess(remote('deploy', '--app', 'todo', '--list'), apps)
    assert.match(refused.stderr, /takes the permission read/)
    const given = await runInProcess(
      remote('deploy', '--app', 'todo', '--list', '--token-stdin'),
      {},
      `${token}\n`,
    )
    assert.match(given.stdout, /\n4 +live .*ada@example\.org/)
    const closed = await runInProcess(deploy('--server', 'https://localhost:1'), by)
    assert.match(closed.stderr, /^sheaf: https:\/\/localhost:1 can't be reached \(ECONNREFUSED\)/)
  })

  it('asks whether the folder was meant that has the page, and keeps the version where no key can be made', async () => {
    const editor = await dashboard.account('eve@example.org')
    const app = (await dashboard.accounts.listApps()).find(({ slug }) => slug === 'todo')!
    await dashboard.accounts.setShare({ app, account: editor.id, role: 'editor' }, 'test')
    const { Authorization } = await dashboard.token(editor, ['apps'])
    const by = { SHEAF_TOKEN: Authorization!.slice('Bearer '.length) }
    const made = await runInProcess(remote(...deploy('--draft', '--json', '--site-key', 'read')), by)
    assert.equal(made.code, 0, made.stderr)
    assert.equal(JSON.parse(made.stdout).version, 6)
    assert.match(made.stderr, /^sheaf: no key of the site was made: this takes the app's owner/)
    const whole = join(dashboard.server.folder, 'whole')
    mkdirSync(join(whole, 'public'), { recursive: true })
    writeFileSync(join(whole, 'public', 'index.html'), '')
    writeFileSync(join(whole, 'README.md'), '')
    const { code, stderr } = await runInProcess(['deploy', whole, '--app', 'todo', '--draft', ...data])
    assert.deepEqual([code, stderr], [0, 'sheaf: there is no index.html at the top; did you mean public/?\n'])
  })

  it('changes nothing where a file can not be taken', async () => {
    const before = await versions()
    const empty = join(dashboard.server.folder, 'empty')
    mkdirSync(empty)
    writeFileSync(join(empty, '.env'), '')
    assert.match(
      await failure(['deploy', empty, '--app', 'todo', ...data]),
      /has no files .*those that stay out/,
    )
    symlinkSync('/etc/passwd', join(site, 'link'))
    assert.match(await failure(deploy(...data)), /"link" is a symbolic link/)
    rmSync(join(site, 'link'))
    write('sheaf.json', '{"fallbak":"/index.html"}')
    assert.match(await failure(deploy(...data)), /fallbak/)
    write('a.zip', 'no zip')
    assert.match(await failure(['deploy', join(site, 'a.zip'), '--app', 'todo', ...data]), /zip/)
    assert.deepEqual(await versions(), before)
  })
})
