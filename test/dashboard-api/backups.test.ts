import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Credential, Dashboard, type DashboardAnswer } from './start-dashboard.ts'

let dashboard: Dashboard
let folder = ''
let operator: Credential
let owner: Credential
let other: Credential

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-kept-'))
  dashboard = await Dashboard.start({ SHEAF_BACKUP_DIR: folder, SHEAF_BACKUP_KEEP: '2' })
  operator = await dashboard.session(await dashboard.account('root@example.org', { isOperator: true }))
  owner = await dashboard.session(await dashboard.account('ada@example.org'))
  other = await dashboard.session(await dashboard.account('bob@example.org'))
  await dashboard.send('POST', '/apps', owner, { json: { slug: 'todo' } })
  const documents = Array.from({ length: 30 }, (_, _id) => ({ _id, text: 'é'.repeat(_id) }))
  await dashboard.send('POST', '/apps/todo/collections/things', owner, { json: documents })
  await dashboard.send('POST', '/apps/todo/keys', owner, { json: { name: 'web' } })
})
after(async () => {
  await dashboard.close()
  rmSync(folder, { recursive: true })
})

const temporaryFiles = (): string[] => readdirSync(join(dashboard.server.folder, 'tmp'))

function restore(query: string, credential: Credential, body: Buffer | string): Promise<DashboardAnswer> {
  return dashboard.send('POST', `/apps/restore?${query}`, credential, {
    headers: { 'Content-Type': 'application/zip' },
    body,
  })
}

async function thingsOf(app: string, credential: Credential): Promise<string> {
  return (await dashboard.send('GET', `/apps/${app}/collections/things`, credential)).text
}

describe('backups through the interface of the dashboard', () => {
  it('are files with a name and a length, of which nothing is left', async () => {
    const { status, headers, bytes } = await dashboard.send('GET', '/apps/todo/backup', owner)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/zip')
    assert.equal(headers['content-length'], String(bytes.length))
    assert.match(
      String(headers['content-disposition']),
      /^attachment; filename="todo-\d{8}T\d{6}Z\.zip"; filename/,
    )
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(temporaryFiles(), [])
  })

  it('are not made for a HEAD, which says whether one would be', async () => {
    const { status, bytes } = await dashboard.send('HEAD', '/apps/todo/backup', owner)
    assert.deepEqual([status, bytes.length], [200, 0])
    assert.equal((await dashboard.send('HEAD', '/apps/todo/backup', other)).status, 404)
    assert.equal((await dashboard.send('HEAD', '/server/backup', owner)).status, 403)
  })

  it('become a new app of whoever sends them, with all documents and the keys', async () => {
    const { bytes } = await dashboard.send('GET', '/apps/todo/backup', owner)
    await dashboard.send('DELETE', '/apps/todo/keys/none', owner)
    const [key] = (await dashboard.send('GET', '/apps/todo/keys', owner)).json
    await dashboard.send('DELETE', `/apps/todo/keys/${key.id}`, owner)
    const { status, json } = await restore('slug=again', other, bytes)
    assert.equal(status, 201)
    const { createdAt: _, ...app } = json
    assert.deepEqual(app, {
      ...{ slug: 'again', role: 'owner', owner: 'bob@example.org' },
      restored: { collections: 1, documents: 30, keys: { made: ['web'], renamed: [], leftOut: [] } },
    })
    assert.equal(await thingsOf('again', other), await thingsOf('todo', owner))
    const [restored] = (await dashboard.send('GET', '/apps/again/keys', other)).json
    assert.deepEqual([restored.name, restored.apps], ['web', ['again']])
    await dashboard.send('POST', '/apps/again/collections/things', other, { json: { _id: 'more' } })
    assert.deepEqual(temporaryFiles(), [])
  })

  it('of everything give an app by its name, and tell no account but an operator', async () => {
    const { status, bytes, headers } = await dashboard.send('GET', '/server/backup?secrets=false', operator)
    assert.equal(status, 200)
    assert.match(String(headers['content-disposition']), /filename="sheaf-\d{8}T\d{6}Z\.zip"/)
    assert.equal((await restore('slug=third&from=todo', owner, bytes)).status, 201)
    assert.equal(await thingsOf('third', owner), await thingsOf('todo', owner))
    const several = await restore('slug=fourth', owner, bytes)
    assert.deepEqual([several.status, several.json.code], [400, 'invalid_request'])
  })

  it('that are none, are cut or would be an app that is there make nothing, and leave nothing', async () => {
    const { bytes } = await dashboard.send('GET', '/apps/todo/backup', owner)
    const before = (await dashboard.send('GET', '/apps', owner)).json.length
    const refused: [query: string, body: Buffer | string, status: number, code: string][] = [
      ['slug=new', 'hello', 400, 'invalid_backup'],
      ['slug=new', bytes.subarray(0, bytes.length - 10), 400, 'invalid_backup'],
      ['slug=todo', bytes, 400, 'app_exists'],
      ['slug=../x', bytes, 400, 'invalid_name'],
      ['', bytes, 400, 'invalid_parameter'],
      ['slug=new&from=other', bytes, 404, 'app_not_found'],
    ]
    for (const [query, body, status, code] of refused) {
      const answer = await restore(query, owner, body)
      assert.deepEqual([answer.status, answer.json.code], [status, code], query)
    }
    const asJson = await dashboard.send('POST', '/apps/restore?slug=new', owner, { json: {} })
    assert.equal(asJson.status, 415)
    assert.equal((await dashboard.send('GET', '/apps', owner)).json.length, before)
    assert.deepEqual(temporaryFiles(), [])
    assert.equal(
      readdirSync(join(dashboard.server.folder, 'apps')).filter((name) => name.endsWith('.sqlite')).length,
      4,
    )
  })

  it('are kept in the folder of the schedule, the newest of them, and what fails is told', async () => {
    writeFileSync(join(folder, 'sheaf-20250101T000000Z.zip'), 'old')
    writeFileSync(join(folder, 'sheaf-20250102T000000Z.zip'), 'older than the next')
    writeFileSync(join(folder, 'notes.zip'), 'not ours')
    const made = await dashboard.send('POST', '/server/backups', operator)
    assert.equal(made.status, 201)
    const { name, bytes, madeAt } = made.json
    assert.match(name, /^sheaf-\d{8}T\d{6}Z\.zip$/)
    assert.deepEqual(readdirSync(folder).sort(), ['notes.zip', 'sheaf-20250102T000000Z.zip', name])
    const told = (await dashboard.send('GET', '/server/backups', operator)).json
    assert.deepEqual(
      { ...told, backups: told.backups.length },
      {
        ...{ folder, every: null, keep: 2, nextAt: null, isUnderWay: false },
        ...{ lastSuccess: { at: madeAt, name, bytes }, lastFailure: null, backups: 2 },
      },
    )
    rmSync(folder, { recursive: true })
    const failed = await dashboard.send('POST', '/server/backups', operator)
    assert.deepEqual([failed.status, failed.json.code], [503, 'store_unavailable'])
    const { lastFailure } = (await dashboard.send('GET', '/server/backups', operator)).json
    assert.match(lastFailure.message, /^sheaf-\S+\.zip can't be made: the folder \/\S+ doesn't exist$/)
    mkdirSync(folder)
  })

  it('restore an app that is called as the path of restoring', async () => {
    await dashboard.send('POST', '/apps', owner, { json: { slug: 'restore' } })
    assert.equal((await dashboard.send('GET', '/apps/restore', owner)).json.slug, 'restore')
    assert.equal((await dashboard.send('DELETE', '/apps/restore', owner)).status, 204)
  })
})
