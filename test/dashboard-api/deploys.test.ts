import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Files, fileStream, sha256, type ZipEntry, zipOf } from '../sites/deploy-bodies.ts'
import { type Credential, Dashboard, type DashboardAnswer } from './start-dashboard.ts'

const FILES = 'application/x-sheaf-deploy'
const ZIP = 'application/zip'
const PAGE = `<!doctype html><title>To do</title>${'<p>a line of a page</p>'.repeat(200)}`
const SITE: Files = { 'index.html': PAGE, 'a/b.txt': 'b', 'a/same.txt': 'b' }

let dashboard: Dashboard
let owner: Credential

before(async () => {
  dashboard = await Dashboard.start({
    SHEAF_LIMIT_SITE_FILES: '50',
    SHEAF_LIMIT_SITE_FILE_BYTES: '3000000',
    SHEAF_LIMIT_SITE_BYTES: '5000000',
  })
  owner = await dashboard.session(await dashboard.account('ada@example.org'))
})
after(() => dashboard.close())

async function newApp(slug: string): Promise<string> {
  await dashboard.send('POST', '/apps', owner, { json: { slug } })
  return (await dashboard.accounts.listApps()).find((app) => app.slug === slug)!.id
}

function deploy(app: string, body: Buffer, { type = FILES, query = '' } = {}): Promise<DashboardAnswer> {
  return dashboard.send('POST', `/apps/${app}/deploys${query}`, owner, {
    headers: { 'Content-Type': type },
    body,
  })
}

/** Names in the folder of a site, without those of its files' folders; and what is left of work. */
function keptFiles(id: string): string[] {
  assert.deepEqual(readdirSync(join(dashboard.server.folder, 'tmp')), [])
  const folder = join(dashboard.server.folder, 'sites', id)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}

/** Garbage is collected after the answer. */
async function eventuallyKept(id: string, names: readonly string[]): Promise<void> {
  const expected = names.toSorted()
  while (JSON.stringify(keptFiles(id)) !== JSON.stringify(expected))
    await dashboard.send('GET', '/apps', owner)
}

describe('a deploy', () => {
  it('is a version with its files, their hashes and what they are compressed to', async () => {
    const id = await newApp('todo')
    const { status, json } = await deploy('todo', fileStream(SITE), { query: '?message=%20first%0Aone' })
    const { createdAt, ...made } = json
    const { port } = dashboard.server
    assert.equal(status, 201)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(made, {
      ...{ version: 1, message: 'first one', author: 'ada@example.org', files: 3 },
      ...{ bytes: PAGE.length + 2, isLive: true, url: `https://todo.localhost:${port}` },
      ...{ leftOut: [], leftOutCount: 0, likelyFolder: null, problem: null },
    })
    const { json: contents } = await dashboard.send('GET', '/apps/todo/deploys/1', owner)
    assert.deepEqual(contents.list, [
      { path: 'a/b.txt', bytes: 1, hash: sha256('b'), type: 'text/plain' },
      { path: 'a/same.txt', bytes: 1, hash: sha256('b'), type: 'text/plain' },
      { path: 'index.html', bytes: PAGE.length, hash: sha256(PAGE), type: 'text/html' },
    ])
    const page = sha256(PAGE)
    const manifest = (await dashboard.accounts.listDeploys(id))[0]!.manifest
    assert.deepEqual(keptFiles(id), [manifest, sha256('b'), page, `${page}.br`, `${page}.gz`].toSorted())
    const path = join(dashboard.server.folder, 'sites', id, 'files', page.slice(0, 2), page)
    assert.equal(readFileSync(path, 'utf8'), PAGE)
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  it('sends what is missing alone, and says what was left out', async () => {
    const next: Files = {
      ...SITE,
      'new.js': 'let a',
      '.env': 'SECRET=1',
      '.git/config': '',
      'x/Thumbs.db': '',
    }
    const hashes = Object.values(next).map(sha256)
    const { json } = await dashboard.send('POST', '/apps/todo/deploys/missing', owner, { json: { hashes } })
    assert.deepEqual(json.missing, [sha256('let a'), sha256('SECRET=1'), sha256(''), sha256('')])
    const made = await deploy('todo', fileStream(next, { there: Object.keys(SITE) }), {
      query: '?live=false',
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.json.version, made.json.files, made.json.isLive], [2, 4, false])
    assert.match(made.json.url, /^https:\/\/preview-2-todo\.localhost:/)
    assert.deepEqual(made.json.leftOut, [
      { path: '.env', reason: 'hidden' },
      { path: '.git/config', reason: 'hidden' },
      { path: 'x/Thumbs.db', reason: 'litter' },
    ])
    assert.equal(made.json.leftOutCount, 3)
  })

  it('is rolled back to, taken off line, trimmed and deleted, and its files go with it', async () => {
    const id = await newApp('back')
    for (const text of ['one', 'two', 'three']) await deploy('back', fileStream({ 'index.html': text }))
    const send = async (method: string, path: string, json?: unknown) =>
      dashboard.send(method, `/apps/back${path}`, owner, json === undefined ? {} : { json })
    assert.equal((await send('GET', '/site')).json.live, 3)
    assert.equal((await send('PUT', '/site/live', { version: 1 })).json.live, 1)
    assert.deepEqual(
      (await send('GET', '/deploys')).json.map(({ version, isLive }: never) => [version, isLive]),
      [
        [3, false],
        [2, false],
        [1, true],
      ],
    )
    assert.equal((await send('DELETE', '/deploys/1')).json.code, 'deploy_live')
    assert.equal((await send('DELETE', '/deploys/3')).status, 204)
    assert.equal((await send('DELETE', '/deploys/3')).json.code, 'deploy_not_found')
    assert.equal((await send('PUT', '/site/live', { version: 3 })).json.code, 'deploy_not_found')
    const manifests = async () => (await dashboard.accounts.listDeploys(id)).map(({ manifest }) => manifest)
    await eventuallyKept(id, [sha256('one'), sha256('two'), ...(await manifests())])
    assert.equal((await send('PATCH', '/site', { kept: 1 })).json.kept, 1)
    await eventuallyKept(id, [sha256('one'), ...(await manifests())])
    assert.equal(
      (await deploy('back', fileStream({ 'a.html': 'draft' }), { query: '?live=false' })).status,
      201,
    )
    const versions = (await send('GET', '/deploys')).json.map(({ version }: never) => version)
    assert.deepEqual(versions, [4, 1], 'neither what is live nor what was just made is trimmed')
    assert.equal((await send('PUT', '/site/live', { version: null })).json.live, null)
    assert.equal((await deploy('back', fileStream({ 'index.html': 'four' }))).json.version, 5)
    await eventuallyKept(id, [sha256('four'), ...(await manifests())])
    for (const kept of [0, 101, null]) assert.equal((await send('PATCH', '/site', { kept })).status, 400)
  })

  it('heals what is damaged on the disk', async () => {
    const id = await newApp('hurt')
    const pathOf = (hash: string) =>
      join(dashboard.server.folder, 'sites', id, 'files', hash.slice(0, 2), hash)
    const body = fileStream(SITE, { there: Object.keys(SITE) })
    await deploy('hurt', fileStream(SITE))
    const { manifest } = (await dashboard.accounts.listDeploys(id))[0]!
    const text = readFileSync(pathOf(manifest), 'utf8')
    writeFileSync(pathOf(manifest), text.replace('index', 'jndex'))
    assert.equal((await dashboard.send('GET', '/apps/hurt/deploys/1', owner)).status, 503)
    assert.equal((await deploy('hurt', body)).status, 201)
    assert.equal((await dashboard.send('GET', '/apps/hurt/deploys/1', owner)).status, 200)

    for (const content of [PAGE, 'b']) writeFileSync(pathOf(sha256(content)), '')
    assert.equal((await deploy('hurt', body)).json.code, 'files_missing')
    const hashes = [sha256('b'), sha256(PAGE)]
    const { json } = await dashboard.send('POST', '/apps/hurt/deploys/missing', owner, { json: { hashes } })
    assert.deepEqual(json.missing, hashes)
    assert.equal((await deploy('hurt', fileStream(SITE))).status, 201)

    writeFileSync(pathOf(sha256('b')), 'c')
    const zip = zipOf(Object.entries(SITE).map(([name, content]) => ({ name, content: content as string })))
    assert.equal((await deploy('hurt', zip, { type: ZIP })).status, 201)
    assert.equal(readFileSync(pathOf(sha256('b')), 'utf8'), 'b')
  })

  it('has its files until its app is removed for good', async () => {
    const id = await newApp('short-lived')
    await deploy('short-lived', fileStream(SITE))
    await dashboard.send('DELETE', '/apps/short-lived', owner)
    assert.notDeepEqual(keptFiles(id), [])
    await dashboard.send('POST', '/deleted-apps/short-lived/restoration', owner)
    assert.equal((await dashboard.send('GET', '/apps/short-lived/site', owner)).json.live, 1)
    await dashboard.send('DELETE', '/apps/short-lived', owner)
    await dashboard.send('DELETE', '/deleted-apps/short-lived', owner)
    assert.equal(existsSync(join(dashboard.server.folder, 'sites', id)), false)
  })

  it('is compressed where it was first there under a name that says nothing of its kind', async () => {
    const id = await newApp('renamed')
    await deploy('renamed', fileStream({ 'a.bin': PAGE }))
    assert.equal(keptFiles(id).includes(`${sha256(PAGE)}.br`), false)
    const files: Files = { 'a.bin': PAGE, 'a.html': PAGE }
    assert.equal((await deploy('renamed', fileStream(files, { there: Object.keys(files) }))).status, 201)
    for (const ending of ['br', 'gz']) assert.ok(keptFiles(id).includes(`${sha256(PAGE)}.${ending}`))
    const [newest] = await dashboard.accounts.listDeploys(id)
    const manifest = join(dashboard.server.folder, 'sites', id, 'files', newest!.manifest.slice(0, 2))
    assert.match(
      readFileSync(join(manifest, newest!.manifest), 'utf8'),
      /"a\.html","\w{64}",\d+,[1-9]\d*,[1-9]/,
    )
  })

  it('is a zip file as well, without the folder around its files', async () => {
    const id = await newApp('zipped')
    const entries: ZipEntry[] = [
      { name: 'dist/', mode: 0o040755 },
      { name: 'dist/index.html', content: PAGE },
      { name: 'dist/naïve.txt', content: 'b', flags: 0 },
      { name: 'dist/copy.txt', content: 'b' },
      { name: 'dist/CON', content: '' },
      { name: 'dist/.DS_Store', content: 'x' },
      { name: '__MACOSX/dist/._index.html', content: 'x' },
      { name: 'dist/sheaf.json', content: '{"fallback":"/index.html"}' },
    ]
    const { status, json, text } = await deploy('zipped', zipOf(entries), { type: ZIP })
    assert.equal(status, 201, text)
    assert.deepEqual([json.files, json.leftOutCount], [5, 2])
    const { json: contents } = await dashboard.send('GET', '/apps/zipped/deploys/1', owner)
    assert.deepEqual(
      contents.list.map(({ path }: { path: string }) => path),
      ['CON', 'copy.txt', 'index.html', 'naïve.txt', 'sheaf.json'],
    )
    assert.equal(contents.settings.fallback, '/index.html')
    assert.ok(keptFiles(id).includes(`${sha256(PAGE)}.br`))
  })
})

describe('a deploy that can not be taken', () => {
  it('changes nothing, and leaves nothing', async () => {
    const id = await newApp('bad')
    const mixed = fileStream({ 'index.html': PAGE, 'sheaf.json': '{"fall":1}' })
    for (const [body, type, code] of [
      [mixed, FILES, 'invalid_deploy'],
      [mixed.subarray(0, -1), FILES, 'invalid_deploy'],
      [Buffer.alloc(0), FILES, 'invalid_deploy'],
      // Of the other apps.
      [fileStream({ 'a.html': PAGE }, { there: ['a.html'] }), FILES, 'files_missing'],
      [zipOf([{ name: 'a.html', content: PAGE, crc: 7 }]), ZIP, 'invalid_deploy'],
      [Buffer.alloc(8_000_000), ZIP, 'deploy_too_large'],
      [Buffer.from('{}'), 'application/json', 'unsupported_media_type'],
    ] as const)
      assert.equal((await deploy('bad', body, { type })).json.code, code)
    for (const query of ['?lives=true', '?live=maybe', `?message=${'a'.repeat(501)}`, '?message=%07'])
      assert.equal((await deploy('bad', mixed, { query })).status, 400, query)
    await eventuallyKept(id, [])
    assert.deepEqual((await dashboard.send('GET', '/apps/bad/deploys', owner)).json, [])
    assert.equal((await dashboard.send('GET', '/apps/bad/deploys/0x1', owner)).json.code, 'deploy_not_found')
  })
})

describe('a deploy that is under way', () => {
  const body = fileStream(SITE)

  /** The beginning of one. */
  function begun(app: string) {
    const { port, ca } = dashboard.server
    const headers = {
      ...owner,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': FILES,
      'Content-Length': body.length,
    }
    const path = `/_/api/apps/${app}/deploys`
    const begun = request({ host: 'localhost', port, ca, method: 'POST', path, headers })
    const gone = once(begun, 'error')
    begun.write(body.subarray(0, 100))
    return async () => {
      begun.destroy(new Error('left'))
      await gone
    }
  }

  async function untilUploads(count: number): Promise<void> {
    const tmp = join(dashboard.server.folder, 'tmp')
    while (readdirSync(tmp).length !== count) await dashboard.send('GET', '/apps', owner)
  }

  it('keeps others of its app out, and leaves nothing where its client goes', async () => {
    const id = await newApp('twice')
    const leave = begun('twice')
    await untilUploads(1)
    const refused = await deploy('twice', body)
    assert.deepEqual([refused.status, refused.json.code], [409, 'deploy_under_way'])
    await leave()
    await untilUploads(0)
    assert.deepEqual(keptFiles(id), [])
    assert.equal((await deploy('twice', body)).json.version, 1)
  })

  it('is one of two that an account may make', async () => {
    for (const slug of ['one', 'two', 'three']) await newApp(slug)
    const leave = ['one', 'two'].map(begun)
    await untilUploads(2)
    const refused = await deploy('three', body)
    assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited'])
    assert.match(refused.json.message, /2 deploys of this account are under way/)
    for (const go of leave) await go()
    await untilUploads(0)
    assert.equal((await deploy('three', body)).status, 201)
  })
})
