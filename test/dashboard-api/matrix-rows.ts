import type { TokenPermission } from '../../src/domain/token-permissions.ts'

export const ROLES = ['stranger', 'viewer', 'editor', 'owner', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** What there is for requests to name. */
export interface Ids {
  readonly ownKey: string
  readonly wideKey: string
  readonly victim: string
}

/** What needs two of the permissions of tokens. */
export const BOTH = 'read and write'

export interface Row {
  /** A method and a path, with a field of `Ids` in angle brackets. */
  readonly request: string
  readonly json?: (role: Role) => unknown
  /** Statuses in the order of `ROLES`; null where it would spoil what others need. */
  readonly statuses: readonly (number | null)[]
  /**
   * What a token has to be let do, of the owner, or an operator for the server: with it alone it gets in, and not with all
   * others. Without it no token does.
   */
  readonly by?: TokenPermission | 'any' | typeof BOTH
  /** Whether a session whose password was given more than ten minutes ago has to give it again. */
  readonly asksPassword?: true
}

export const everybody = (status: number): number[] => ROLES.map(() => status)
export const PARTS = [404, 200, 200, 200, 404]
export const WRITERS = (status: number): number[] => [404, 403, status, status, 404]
export const OWNER = (status: number): number[] => [404, 403, 403, status, 404]
export const OPERATOR = (status: number): number[] => [403, 403, 403, 403, status]
export const none = (): unknown => ({})

/** What is done to the documents of an app. */
export const DOCUMENT_ROWS: readonly Row[] = [
  { request: 'GET /apps/todo/collections', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/collections/things', statuses: PARTS, by: 'read' },
  { request: 'POST /apps/todo/collections/things', json: none, statuses: WRITERS(201), by: 'write' },
  {
    request: 'PUT /apps/todo/collections/things?q={}',
    json: () => ({ $set: { n: 1 } }),
    statuses: WRITERS(200),
    by: 'write',
  },
  {
    request: 'PUT /apps/todo/collections/things/1',
    json: none,
    statuses: [404, 403, 201, 200, 404],
    by: 'write',
  },
  { request: 'DELETE /apps/todo/collections/things/1', statuses: [404, 403, 200, 404, 404], by: 'write' },
  { request: 'DELETE /apps/todo/collections/things?q={}', statuses: WRITERS(200), by: 'write' },
  {
    request: 'POST /apps/todo/update-preview/things?q={}',
    json: () => ({ $set: { n: 1 } }),
    statuses: WRITERS(200),
    by: BOTH,
  },
  { request: 'GET /apps/todo/collections/things/export?format=json', statuses: PARTS, by: 'read' },
  { request: 'POST /apps/todo/collections/things/import', json: none, statuses: WRITERS(200), by: 'write' },
  {
    request: 'POST /apps/todo/collections/things/import-preview',
    json: none,
    statuses: WRITERS(200),
    by: 'write',
  },
  {
    request: 'POST /apps/todo/collections/none/rename',
    json: () => ({ name: 'others' }),
    statuses: WRITERS(404),
    by: 'write',
  },
  { request: 'POST /apps/todo/collections/none/empty', statuses: WRITERS(404), by: 'write' },
  { request: 'POST /apps/todo/collections/none/drop', statuses: WRITERS(404), by: 'write' },
  { request: 'GET /apps/todo/bin', statuses: PARTS, by: 'read' },
  { request: 'POST /apps/todo/bin/0/restore', json: none, statuses: WRITERS(404), by: 'write' },
  { request: 'DELETE /apps/todo/bin/0', statuses: WRITERS(404), by: 'write', asksPassword: true },
  { request: 'GET /apps/todo/indexes?collection=things', statuses: PARTS, by: 'read' },
  {
    request: 'POST /apps/todo/indexes?collection=things',
    json: (role) => ({ fields: `n,${role}:-1` }),
    statuses: WRITERS(201),
    by: 'apps',
  },
  { request: 'DELETE /apps/todo/indexes/none?collection=things', statuses: WRITERS(404), by: 'apps' },
  {
    request: 'GET /apps/todo/index-advice?collection=things&q={"a":1}&s=',
    statuses: PARTS,
    by: 'read',
  },
  { request: 'GET /apps/todo/queries', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/analytics?range=day', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/analytics/tail?seconds=0', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/analytics.csv?range=day&table=keys', statuses: PARTS, by: 'read' },
  { request: 'GET /apps/todo/auto-index', statuses: PARTS, by: 'read' },
  {
    request: 'PUT /apps/todo/auto-index',
    json: () => ({ on: true }),
    statuses: [404, 403, 403, 200, 404],
    by: 'apps',
  },
]

/** What needs no session, and is tried where it is the point. */
export const PUBLIC = [
  'GET /ways-in',
  'POST /oidc/begin',
  'POST /oidc/finish',
  'POST /session',
  'POST /link',
  'POST /account',
  'POST /password-reset-requests',
  'POST /account/password-reset',
]

/** What holds for all keys, and the secrets of tokens. */
export const SECURITY_ROWS: readonly Row[] = [
  { request: 'GET /apps/todo/settings', statuses: PARTS, by: 'read' },
  { request: 'PATCH /apps/todo/settings', json: () => ({ rate: 'none' }), statuses: OWNER(200), by: 'apps' },
  { request: 'POST /apps/todo/settings/summary', json: none, statuses: OWNER(200), by: 'apps' },
  { request: 'GET /server/token-secrets', statuses: OPERATOR(200), by: 'server' },
  {
    request: 'POST /server/token-secrets',
    json: () => ({ now: false }),
    statuses: OPERATOR(201),
    by: 'server',
    asksPassword: true,
  },
]

/** What accounts may have. */
const QUOTA_ROWS: readonly Row[] = [
  { request: 'GET /account/quota', statuses: everybody(200), by: 'any' },
  { request: 'GET /server/quota', statuses: OPERATOR(200), by: 'server' },
  { request: 'PUT /server/quota', json: none, statuses: OPERATOR(200), by: 'server' },
  { request: 'GET /server/accounts/<victim>/quota', statuses: OPERATOR(200), by: 'server' },
  { request: 'PUT /server/accounts/<victim>/quota', json: none, statuses: OPERATOR(200), by: 'server' },
  { request: 'DELETE /server/accounts/<victim>/quota', statuses: OPERATOR(200), by: 'server' },
]

/** What operators are alerted to, and where. No webhook is set, so that none is looked up. */
const ALERT_ROWS: readonly Row[] = [
  { request: 'GET /server/alerts', statuses: OPERATOR(200), by: 'server' },
  { request: 'GET /server/alert-webhook', statuses: OPERATOR(200), by: 'server' },
  {
    request: 'PUT /server/alert-webhook',
    json: () => ({ url: 'http://10.0.0.1/' }),
    statuses: OPERATOR(400),
    by: 'server',
    asksPassword: true,
  },
  { request: 'POST /server/alert-webhook/test', statuses: OPERATOR(409), by: 'server' },
  { request: 'DELETE /server/alert-webhook', statuses: OPERATOR(409), by: 'server', asksPassword: true },
]

export const OPERATOR_ROWS: readonly Row[] = [...QUOTA_ROWS, ...ALERT_ROWS]

/** What is done to the site of an app. */
export const SITE_ROWS: readonly Row[] = [
  { request: 'GET /apps/todo/site', statuses: PARTS, by: 'read' },
  { request: 'PATCH /apps/todo/site', json: () => ({ kept: 9 }), statuses: OWNER(200), by: 'apps' },
  {
    request: 'PUT /apps/todo/site/live',
    json: () => ({ version: null }),
    statuses: WRITERS(200),
    by: 'apps',
  },
  { request: 'GET /apps/todo/deploys', statuses: PARTS, by: 'read' },
  { request: 'POST /apps/todo/deploys?message=first&live=true', statuses: WRITERS(400), by: 'apps' },
  {
    request: 'POST /apps/todo/deploys/missing',
    json: () => ({ hashes: [] }),
    statuses: WRITERS(200),
    by: 'apps',
  },
  { request: 'GET /apps/todo/deploys/7', statuses: [404, 404, 404, 404, 404], by: 'read' },
  { request: 'DELETE /apps/todo/deploys/7', statuses: WRITERS(404), by: 'apps' },
  {
    request: 'POST /apps/todo/site/key',
    json: () => ({ permission: 'read' }),
    statuses: OWNER(201),
    by: 'apps',
  },
  { request: 'DELETE /apps/todo/site/key', statuses: OWNER(204), by: 'apps' },
  {
    request: 'POST /apps/todo/site/domains',
    json: () => ({ domain: 'shop.example.org' }),
    statuses: OWNER(201),
    by: 'apps',
  },
  { request: 'POST /apps/todo/site/domains/none/check', statuses: OWNER(404), by: 'apps' },
  { request: 'DELETE /apps/todo/site/domains/none', statuses: OWNER(404), by: 'apps' },
]

/** Tokens that are refused, by the names of the test. */
export function refusedTokens({ by }: Row): readonly string[] {
  if (by === undefined) return ['all']
  if (by === BOTH) return ['not read', 'not write']
  return by === 'any' ? [] : [`not ${by}`]
}
