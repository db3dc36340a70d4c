import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { DEPLOY_TYPE, deployBody, hashFiles } from '../../dashboard/src/site/deploy-body.ts'
import { hashSecret } from '../../src/credentials/secret.ts'
import { pathProblem } from '../../src/domain/site-paths.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import type { Dashboard } from '../dashboard-api/start-dashboard.ts'
import { missing, noteReads } from './performance-data.ts'

/** What may stand in a name of at most 120 characters. */
export const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  'javascript:alert(1)',
  '\u202egnirts \u2066\u200b\ufeffa',
  '\\u0000 &#0; %00',
  'x'.repeat(118),
  '__proto__',
  '{{constructor.constructor("alert(1)")()}}',
]

/** A collection of documents with such names as keys and values. */
export const HOSTILE_COLLECTION = '<img src=x onerror=alert(1)> # ? % \u202e'

/** Notes what nobody wants of a page: a box that a script opens, and a request to another server. */
export function watchHarm(page: Page, { server }: Dashboard, faults: string[]): void {
  page.on('dialog', (dialog) => {
    faults.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).host !== `localhost:${server.port}`) faults.push(request.url())
  })
}

export interface Populated {
  /** An operator, whose name is hostile, too. */
  readonly account: AccountRecord
  /** With whom the app is shared. */
  readonly other: AccountRecord
  readonly slug: string
  /** The id of one of its keys. */
  readonly key: string
}

/** Fills a server with hostile names, wherever it takes some. */
export async function populate(dashboard: Dashboard): Promise<Populated> {
  const slug = 'x'.repeat(63)
  const account = await dashboard.account('ada@example.org', { name: HOSTILE_NAMES[0]!, isOperator: true })
  const credential = await dashboard.session(account)
  const post = async (path: string, json: unknown) => {
    const answer = await dashboard.send('POST', path, credential, { json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  await post('/apps', { slug })
  await post('/apps', { slug: 'gone' })
  await dashboard.send('DELETE', '/apps/gone', credential)
  let key = ''
  let other = account
  for (const [index, name] of HOSTILE_NAMES.entries()) {
    const email = `${'e'.repeat(50)}+{{x}}${index}@${'d'.repeat(60)}.example.org`
    other = await dashboard.account(email, { name })
    await dashboard.accounts.setShare({ app: slug, account: other.id, role: 'viewer' }, 'test')
    await post(`/apps/${slug}/collections/${encodeURIComponent(name.replaceAll('/', '|'))}`, {})
    const collections = [name.replaceAll('/', '|')]
    key = (await post(`/apps/${slug}/keys`, { name, rules: { apps: [slug], collections } })).id
    await post('/account/tokens', { name, permissions: ['read'], expires: '30d' })
    const session = {
      account: account.id,
      way: 'password',
      hash: hashSecret(name),
      address: '127.0.0.1',
    } as const
    await dashboard.accounts.createSession({ ...session, userAgent: name })
  }
  const hostile = Object.fromEntries(HOSTILE_NAMES.map((name) => [name, name]))
  const documents = HOSTILE_NAMES.map((_id) => ({ _id, ...hostile, nested: { list: [hostile, [hostile]] } }))
  await post(`/apps/${slug}/collections/${encodeURIComponent(HOSTILE_COLLECTION)}`, documents)
  const dropped = `/apps/${slug}/collections/${encodeURIComponent(`${HOSTILE_COLLECTION} dropped`)}`
  await post(dropped, {})
  await dashboard.send('POST', `${dropped}/drop`, credential)
  const [script = '', , , turned = ''] = HOSTILE_NAMES
  const fields = JSON.stringify({ [turned]: 1, [script]: -1 })
  await post(`/apps/${slug}/indexes?${new URLSearchParams({ collection: HOSTILE_COLLECTION })}`, { fields })
  const queries = [...HOSTILE_NAMES.map((name) => `${JSON.stringify(name)} eq`), 'y'.repeat(400)]
  await noteReads(dashboard, {
    ...{ app: slug, collection: HOSTILE_COLLECTION },
    queries: queries.map((fingerprint) => ({ fingerprint, account: missing(turned) })),
  })
  for (const version of ['first', 'second']) {
    const body = await siteOf(version)
    const parameters = new URLSearchParams({ message: turned })
    const headers = { 'Content-Type': DEPLOY_TYPE }
    const { status, text } = await dashboard.send('POST', `/apps/${slug}/deploys?${parameters}`, credential, {
      ...{ headers, body },
    })
    assert.equal(status, 201, text)
  }
  return { account, other, slug, key }
}

/** A site whose files have hostile names, where files may. */
async function siteOf(version: string): Promise<Buffer> {
  const redirects = [{ from: `/${HOSTILE_NAMES[0]}`, to: '/' }]
  const contents = {
    ...Object.fromEntries(HOSTILE_NAMES.map((name) => [name, version])),
    [`${version}/${'long'.repeat(60)}`]: '',
    'sheaf.json': JSON.stringify({ redirects }),
  }
  const files = Object.entries(contents)
    .filter(([path]) => pathProblem(path) === undefined)
    .map(([path, text]) => ({ path, file: new File([text], path) }))
  const hashed = await hashFiles(files, { onFiles: () => undefined, signal: new AbortController().signal })
  const body = deployBody(
    hashed,
    hashed.map(({ hash }) => hash),
  )
  return Buffer.from(await body.arrayBuffer())
}
