import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ROUTES } from '../../src/dashboard-api/routes/routes.ts'
import { TOKEN_PERMISSIONS } from '../../src/domain/token-permissions.ts'
import {
  BOTH,
  DOCUMENT_ROWS,
  everybody,
  type Ids,
  none,
  OPERATOR,
  OPERATOR_ROWS,
  OWNER,
  PARTS,
  PUBLIC,
  ROLES,
  type Role,
  type Row,
  refusedTokens,
  SECURITY_ROWS,
  SITE_ROWS,
  WRITERS,
} from './matrix-rows.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Of a key that opens other apps, too. */
const WIDE = (status: number): number[] => [404, 403, 404, status, 404]
const slower = (): unknown => ({ rules: { rate: '5/s' } })
const WRONG = { password: 'not the password', current: 'not the password' }

/** Worked out by hand from the issue and the design; nothing here asks the code under test. */
const TABLE: readonly Row[] = [
  { request: 'GET /session', statuses: everybody(200) },
  { request: 'POST /session/password', json: () => ({ password: WRONG.password }), statuses: everybody(403) },
  { request: 'GET /account', statuses: everybody(200), by: 'any' },
  { request: 'PATCH /account', json: (role) => ({ name: role }), statuses: everybody(200) },
  { request: 'GET /account/deletion', statuses: everybody(200) },
  { request: 'DELETE /account?apps=nonsense', statuses: everybody(400), asksPassword: true },
  { request: 'GET /account/preferences', statuses: everybody(200) },
  { request: 'PUT /account/preferences', json: none, statuses: everybody(204) },
  {
    request: 'GET /account/audit?l=5&before=9&actor=a&action=b&subject=c&address=d',
    statuses: everybody(200),
  },
  { request: 'PUT /account/password', json: () => WRONG, statuses: everybody(403) },
  { request: 'DELETE /account/password', statuses: everybody(409), asksPassword: true },
  { request: 'GET /account/passkeys', statuses: everybody(200) },
  { request: 'POST /account/passkeys/options', statuses: everybody(200), asksPassword: true },
  {
    request: 'POST /account/passkeys',
    json: () => ({ name: 'key', id: 'a', clientDataJSON: 'e30', attestationObject: 'oA' }),
    statuses: everybody(400),
    asksPassword: true,
  },
  { request: 'PATCH /account/passkeys/none', json: (role) => ({ name: role }), statuses: everybody(404) },
  { request: 'DELETE /account/passkeys/none', statuses: everybody(404), asksPassword: true },
  { request: 'POST /session/passkey-options', json: () => ({ confirm: true }), statuses: everybody(200) },
  {
    request: 'POST /session/passkey',
    json: () => ({ confirm: true, id: 'a', clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }),
    statuses: everybody(403),
  },
  { request: 'POST /account/totp', statuses: everybody(200) },
  {
    request: 'PUT /account/totp',
    json: () => ({ secret: 'x', code: '1' }),
    statuses: everybody(400),
    asksPassword: true,
  },
  { request: 'DELETE /account/totp', statuses: everybody(204), asksPassword: true },
  { request: 'POST /account/recovery-codes', statuses: everybody(400), asksPassword: true },
  { request: 'GET /account/identities', statuses: everybody(200) },
  { request: 'DELETE /account/identities/none', statuses: everybody(404), asksPassword: true },
  { request: 'GET /account/sessions', statuses: everybody(200) },
  { request: 'DELETE /account/sessions/none', statuses: everybody(204) },
  { request: 'GET /account/tokens', statuses: everybody(200) },
  {
    request: 'POST /account/tokens',
    json: () => ({ name: 'ci', permissions: ['read'], expires: '30d' }),
    statuses: everybody(201),
    asksPassword: true,
  },
  { request: 'DELETE /account/tokens/none', statuses: everybody(404) },
  { request: 'GET /apps', statuses: everybody(200), by: 'read' },
  { request: 'POST /apps', json: (role) => ({ slug: `of-${role}` }), statuses: everybody(201), by: 'apps' },
  { request: 'GET /apps/todo', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/size', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/export', statuses: PARTS, by: 'read' },
  { request: 'DELETE /apps/todo/tokens', statuses: OWNER(200), by: 'apps' },
  { request: 'DELETE /apps/todo', statuses: [404, 403, 403, null, 404], by: 'apps', asksPassword: true },
  { request: 'GET /deleted-apps', statuses: everybody(200), by: 'read' },
  {
    request: 'DELETE /deleted-apps/gone',
    statuses: [404, 404, 404, null, 404],
    by: 'apps',
    asksPassword: true,
  },
  { request: 'POST /deleted-apps/gone/restoration', statuses: [404, 404, 404, 200, 404], by: 'apps' },
  { request: 'GET /apps/todo/keys', statuses: PARTS, by: 'read' },
  { request: 'POST /apps/todo/keys', json: (role) => ({ name: role }), statuses: WRITERS(201), by: 'apps' },
  {
    request: 'POST /apps/todo/keys',
    json: (role) => ({ name: `${role} all`, rules: { apps: 'all' } }),
    statuses: OWNER(201),
    by: 'apps',
  },
  {
    request: 'POST /apps/todo/keys',
    json: (role) => ({ name: `${role} two`, rules: { apps: ['todo', 'other'] } }),
    statuses: OWNER(201),
    by: 'apps',
  },
  { request: 'POST /apps/todo/keys/summary', json: none, statuses: WRITERS(200), by: 'apps' },
  {
    request: 'POST /apps/todo/keys/summary',
    json: () => ({ rules: { apps: 'all' } }),
    statuses: OWNER(200),
    by: 'apps',
  },
  { request: 'PATCH /apps/todo/keys/<ownKey>', json: slower, statuses: WRITERS(200), by: 'apps' },
  {
    request: 'PATCH /apps/todo/keys/<ownKey>',
    json: () => ({ rules: { apps: 'all' } }),
    statuses: [404, 403, 403, null, 404],
    by: 'apps',
  },
  { request: 'PATCH /apps/todo/keys/<wideKey>', json: slower, statuses: WIDE(200), by: 'apps' },
  { request: 'POST /apps/todo/keys/<ownKey>/rotation', json: none, statuses: WRITERS(200), by: 'apps' },
  { request: 'POST /apps/todo/keys/<wideKey>/rotation', json: none, statuses: WIDE(200), by: 'apps' },
  {
    request: 'POST /apps/todo/keys/<ownKey>/trial',
    json: () => ({ method: 'GET' }),
    statuses: WRITERS(200),
    by: 'apps',
  },
  {
    request: 'POST /apps/todo/keys/<wideKey>/trial',
    json: () => ({ method: 'GET' }),
    statuses: WIDE(200),
    by: 'apps',
  },
  { request: 'DELETE /apps/todo/keys/<ownKey>/tokens', statuses: WRITERS(204), by: 'apps' },
  { request: 'DELETE /apps/todo/keys/<wideKey>/tokens', statuses: WIDE(204), by: 'apps' },
  { request: 'DELETE /apps/todo/keys/<wideKey>', statuses: [404, 403, 404, null, 404], by: 'apps' },
  { request: 'DELETE /apps/todo/keys/none', statuses: WRITERS(404), by: 'apps' },
  { request: 'GET /apps/todo/shares', statuses: OWNER(200), by: 'read' },
  {
    request: 'POST /apps/todo/shares',
    json: () => ({ email: 'victim@example.org', role: 'viewer' }),
    statuses: OWNER(200),
    by: 'apps',
  },
  { request: 'DELETE /apps/todo/shares/<victim>', statuses: OWNER(204), by: 'apps' },
  { request: 'GET /apps/todo/audit?subject=todo&before=', statuses: [404, 403, 200, 200, 404], by: 'read' },
  { request: 'GET /apps/todo/audit?address=127', statuses: [404, 403, 403, 200, 404], by: 'read' },
  { request: 'GET /apps/todo/backup', statuses: OWNER(200), by: 'apps', asksPassword: true },
  {
    request: 'POST /apps/restore?slug=again&from=todo',
    statuses: everybody(400),
    by: 'apps',
    asksPassword: true,
  },
  ...DOCUMENT_ROWS,
  ...SECURITY_ROWS,
  ...OPERATOR_ROWS,
  ...SITE_ROWS,
  { request: 'GET /server', statuses: OPERATOR(200), by: 'server' },
  { request: 'GET /server/backup?secrets=false', statuses: OPERATOR(200), by: 'server', asksPassword: true },
  { request: 'GET /server/backups', statuses: OPERATOR(200), by: 'server' },
  { request: 'POST /server/backups', statuses: OPERATOR(400), by: 'server' },
  { request: 'GET /server/accounts?l=2&after=a&email=example', statuses: OPERATOR(200), by: 'server' },
  { request: 'GET /server/accounts/<victim>/deletion', statuses: OPERATOR(200), by: 'server' },
  {
    request: 'DELETE /server/accounts/<victim>?apps=nonsense',
    statuses: OPERATOR(400),
    asksPassword: true,
  },
  { request: 'POST /server/accounts/<victim>/password-reset', statuses: OPERATOR(201), asksPassword: true },
  { request: 'DELETE /server/accounts/<victim>/totp', statuses: OPERATOR(400), asksPassword: true },
  { request: 'DELETE /server/accounts/<victim>/ways-in', statuses: OPERATOR(200), asksPassword: true },
  { request: 'POST /server/invitations', json: none, statuses: OPERATOR(201), by: 'server' },
  {
    request: 'POST /server/invitations',
    json: () => ({ isOperator: true }),
    statuses: OPERATOR(201),
    asksPassword: true,
  },
  { request: 'POST /server/test-mail', statuses: OPERATOR(409) },
  { request: 'GET /server/audit?app=todo', statuses: OPERATOR(200), by: 'server' },
  { request: 'GET /server/audit?before=x', statuses: [403, 403, 403, 403, 400], by: 'server' },
  { request: 'DELETE /account/sessions?keepCurrent=true', statuses: everybody(200) },
  { request: 'DELETE /session', statuses: everybody(204) },
]

describe('what an account may do', () => {
  let dashboard: Dashboard
  let ids: Ids
  const sessions = new Map<Role, Credential>()
  const refused = new Map<string, Credential>()
  /** Sessions whose password was given too long ago. */
  let stale: { readonly owner: Credential; readonly operator: Credential }
  /** By the permissions that it has. */
  const tokens = new Map<string, Credential>()

  before(async () => {
    // Passkeys take a name.
    dashboard = await Dashboard.start({ SHEAF_PUBLIC_URL: 'https://localhost' })
    const { accounts } = dashboard
    const make = (role: string) =>
      dashboard.account(`${role}@example.org`, { isOperator: role === 'operator' })
    const people = new Map(await Promise.all(ROLES.map(async (role) => [role, await make(role)] as const)))
    const victim = await make('victim')
    const owner = people.get('owner')!
    for (const slug of ['todo', 'other', 'gone']) await accounts.createApp({ slug, owner: owner.id }, 'test')
    for (const role of ['viewer', 'editor'] as const) {
      for (const slug of ['todo', 'gone']) {
        const { app } = (await accounts.findAppOf({ account: owner.id, slug }))!
        await accounts.setShare({ app, account: people.get(role)!.id, role }, 'test')
      }
    }
    await accounts.deleteApp('gone', 'test')
    for (const role of ROLES) sessions.set(role, await dashboard.session(people.get(role)!))
    for (const each of TOKEN_PERMISSIONS) {
      const account = people.get(each === 'server' ? 'operator' : 'owner')!
      const others = TOKEN_PERMISSIONS.filter((other) => other !== each)
      tokens.set(each, await dashboard.token(account, [each]))
      tokens.set(`not ${each}`, await dashboard.token(account, others))
    }
    tokens.set(BOTH, await dashboard.token(owner, ['read', 'write']))
    tokens.set('any', await dashboard.token(owner, ['server']))
    tokens.set('all', await dashboard.token(owner, TOKEN_PERMISSIONS))
    stale = {
      owner: await dashboard.session(owner, { ageMs: 11 * 60_000 }),
      operator: await dashboard.session(people.get('operator')!, { ageMs: 11 * 60_000 }),
    }
    refused.set('nothing', {})
    refused.set('an ended session', await dashboard.session(owner, { ageMs: 8 * DAY_MS }))
    refused.set('an API key', { 'X-Service-API-Key': dashboard.server.apiKey })
    refused.set('an API key as a bearer', { Authorization: `Bearer ${dashboard.server.apiKey}` })
    const session = sessions.get('owner')
    const key = async (name: string, rules: object) =>
      (await dashboard.send('POST', '/apps/todo/keys', session, { json: { name, rules } })).json.id
    ids = { ownKey: await key('own', {}), wideKey: await key('wide', { apps: 'all' }), victim: victim.id }
  })
  after(() => dashboard.close())

  const send = ({ request, json }: Row, role: Role, credential: Credential | undefined) => {
    const [method, path] = request.split(' ') as [string, string]
    const named = path.replace(/<(\w+)>/, (_, name: keyof Ids) => ids[name])
    return dashboard.send(method, named, credential, json === undefined ? {} : { json: json(role) })
  }

  for (const row of TABLE) {
    it(`at ${row.request} is what the table says${row.json ? ` of ${JSON.stringify(row.json('owner'))}` : ''}`, async () => {
      for (const [who, credential] of refused)
        assert.equal((await send(row, 'owner', credential)).status, 401, who)
      for (const each of refusedTokens(row))
        assert.equal((await send(row, 'owner', tokens.get(each))).status, 403, `a token of ${each}`)
      if (row.asksPassword) {
        const { status, json } = await send(
          row,
          'owner',
          row.request.includes('/server/') ? stale.operator : stale.owner,
        )
        assert.deepEqual([status, json.code], [403, 'password_required'])
      }
      for (const [index, role] of ROLES.entries()) {
        const status = row.statuses[index]
        if (status === null) continue
        const answer = await send(row, role, sessions.get(role))
        assert.equal(answer.status, status, `${role}: ${answer.text}`)
      }
      if (row.by === undefined || row.statuses.includes(null)) return
      const { status, text } = await send(row, 'owner', tokens.get(row.by))
      assert.ok(status !== 401 && status !== 403, `a token of ${row.by}: ${text}`)
    })
  }

  it('is tried at every route', () => {
    const tried = TABLE.map(({ request }) =>
      request
        .replace(/\?.*/, '')
        .replace(/\/(todo|gone)/, '/{app}')
        .replace(/(?<=(passkey|session|token|domain)s\/)none/, '{$1}')
        .replace(/<(ownKey|wideKey)>|(?<=keys\/)none/, '{key}')
        .replace(/(?<=identities\/)none/, '{identity}')
        .replace(/(?<=indexes\/)none/, '{name}')
        .replace(/(?<=collections\/)none/, '{collection}')
        .replace(/(?<=bin\/)0/, '{id}')
        .replace(/(?<=deploys\/)7/, '{version}')
        .replace(/(?<=update-preview\/)things|things(?=\/(?:im|ex)port)/, '{collection}')
        .replace('<victim>', '{account}'),
    )
    assert.deepEqual(
      Object.keys(ROUTES).filter((route) => !tried.includes(route) && !PUBLIC.includes(route)),
      [],
    )
  })
})
