import type { Permission } from '../../../src/domain/key-rules.ts'

/** Where requests of the matrix go. `id` is a document of the request's own. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: (id: string) => string
  readonly body?: (id: string) => string
  /** The slug in the path, where it has one, and the collection. */
  readonly app?: 'demo' | 'gone'
  readonly collection?: (id: string) => string
  /** All of these have to be permitted, whatever is there. */
  readonly needs?: readonly Permission[]
  /** Or one of these, because it depends on what is there … */
  readonly needsOneOf?: readonly Permission[]
  /** … which comes down to these. */
  readonly turnsOut?: readonly Permission[]
  readonly status: number
  readonly code?: string
  /** Whether a document with that id is there before. */
  readonly isThere?: boolean
  /** The document with that id after it was let in; null for none, undefined for the same as before. */
  readonly after?: (id: string) => string | null
  /** What is answered when it is let in. */
  readonly answer?: (id: string) => string
  /** The same for a key that may not read. */
  readonly unread?: (id: string) => string
}

export const COLLECTION = '/apps/demo/collections/things'
/** What is there before; `s` is what a key without `read` must never see. */
export const before = (id: string): string => `{"_id":"${id}","n":1,"s":"secret"}`
/** A collection that is there for one request to drop. */
export const dropped = (id: string): string => `drop-${id}`

const things = (): string => 'things'
const one = (id: string): string => `${COLLECTION}/${id}`
const matching =
  (more = '') =>
  (id: string): string =>
    `${COLLECTION}?q={"_id":"${id}"}${more}`
const onlyId = (id: string): string => `{"_id":"${id}"}`
const replaced = (id: string): string => `{"_id":"${id}","n":2}`
const increased = (id: string): string => `{"_id":"${id}","n":2,"s":"secret"}`
const increment = (): string => '{"$inc":{"n":1}}'
const gone = (): null => null

const there = { app: 'demo', collection: things, isThere: true } as const
const missing = { app: 'demo', collection: things } as const
const read = { needs: ['read'], status: 200 } as const
const create = { needsOneOf: ['create', 'update'], turnsOut: ['create'], status: 201 } as const
const update = { needsOneOf: ['create', 'update'], turnsOut: ['update'], status: 200 } as const
const remove = { needs: ['delete'], status: 200 } as const

const OUTSIDE_APPS: readonly Endpoint[] = [
  { name: 'validate at the root', method: 'GET', path: () => '/', status: 200 },
  { name: 'validate', method: 'GET', path: () => '/validate_key', status: 200 },
  { name: 'validate by HEAD', method: 'HEAD', path: () => '/validate_key', status: 200 },
  { name: 'list apps', method: 'GET', path: () => '/apps', ...read },
  { name: 'unknown path', method: 'GET', path: () => '/nowhere', status: 404, code: 'unknown_path' },
  {
    name: 'unknown path to write to',
    method: 'POST',
    path: () => '/apps/demo',
    status: 404,
    code: 'unknown_path',
  },
  { name: 'other method', method: 'PATCH', path: () => COLLECTION, status: 405, code: 'method_not_allowed' },
]

const READS: readonly Endpoint[] = [
  { name: 'list collections', method: 'GET', path: () => '/apps/demo/collections', app: 'demo', ...read },
  { name: 'find', method: 'GET', path: matching(), ...there, ...read, answer: (id) => `[${before(id)}]` },
  { name: 'count', method: 'GET', path: matching('&c=true'), ...there, ...read, answer: () => '1' },
  { name: 'find first', method: 'GET', path: matching('&fo=true'), ...there, ...read, answer: before },
  { name: 'find none', method: 'GET', path: matching(), ...missing, ...read, answer: () => '[]' },
  { name: 'get', method: 'GET', path: one, ...there, ...read, answer: before },
  { name: 'get by HEAD', method: 'HEAD', path: one, ...there, ...read, answer: () => '' },
  {
    name: 'get none',
    method: 'GET',
    path: one,
    ...missing,
    needs: ['read'],
    status: 404,
    code: 'document_not_found',
  },
]

const SAVES: readonly Endpoint[] = [
  {
    name: 'create',
    method: 'POST',
    body: replaced,
    answer: replaced,
    after: replaced,
    ...missing,
    ...create,
  },
  {
    name: 'overwrite',
    method: 'POST',
    body: replaced,
    answer: replaced,
    after: replaced,
    ...there,
    ...update,
  },
  {
    name: 'create without an id',
    method: 'POST',
    body: (id: string) => `{"by":"${id}"}`,
    ...missing,
    ...create,
  },
  {
    name: 'create in bulk',
    method: 'POST',
    body: (id: string) => `[{"by":"${id}"},${replaced(id)}]`,
    after: replaced,
    ...missing,
    ...create,
  },
  {
    name: 'overwrite in bulk',
    method: 'POST',
    body: (id: string) => `[${replaced(id)}]`,
    answer: (id: string) => `[${replaced(id)}]`,
    after: replaced,
    ...there,
    ...update,
  },
  {
    name: 'create and overwrite in bulk',
    method: 'POST',
    body: (id: string) => `[{"by":"${id}"},${replaced(id)}]`,
    after: replaced,
    ...there,
    ...create,
    turnsOut: ['create', 'update'] as const,
  },
  {
    name: 'an empty bulk',
    method: 'POST',
    body: () => '[]',
    answer: () => '[]',
    ...there,
    ...update,
    turnsOut: [],
  },
].map((endpoint) => ({ path: () => COLLECTION, ...endpoint }))

const UPDATES_OF_ONE: readonly Endpoint[] = ['PUT', 'POST'].flatMap((method) => [
  {
    name: `replace by ${method}`,
    ...{ method, path: one, body: () => '{"n":2}', answer: replaced, after: replaced },
    ...{ ...there, ...update },
  },
  {
    name: `create by ${method}`,
    ...{ method, path: one, body: () => '{"n":2}', answer: replaced, after: replaced },
    ...{ ...missing, ...create },
  },
  {
    name: `modify by ${method}`,
    ...{ method, path: one, body: increment, answer: increased, unread: onlyId, after: increased },
    ...{ ...there, ...update },
  },
  {
    name: `create from modifiers by ${method}`,
    ...{
      method,
      path: one,
      body: () => '{"$set":{"n":2}}',
      answer: replaced,
      unread: onlyId,
      after: replaced,
    },
    ...{ ...missing, ...create },
  },
])

const UPDATES_OF_MANY: readonly Endpoint[] = [
  { name: 'update many', more: '', needs: ['update'], isThere: true, answer: '{"n":1,"modified":1}' },
  {
    name: 'update the first',
    more: '&m=false',
    needs: ['update'],
    isThere: true,
    answer: '{"n":1,"modified":1}',
  },
  { name: 'update none', more: '', needs: ['update'], isThere: false, answer: '{"n":0,"modified":0}' },
  {
    name: 'upsert that updates',
    more: '&u=true',
    needs: ['update', 'create'],
    isThere: true,
    answer: '{"n":1,"modified":1}',
  },
  {
    name: 'upsert that creates',
    more: '&u=true',
    needs: ['update', 'create'],
    isThere: false,
    status: 201,
    answer: (id: string) => `{"n":0,"modified":0,"upserted":"${id}"}`,
  },
].map(({ name, more, needs, isThere, status = 200, answer }) => ({
  ...{
    name,
    method: 'PUT',
    path: matching(more),
    body: increment,
    ...missing,
    needs: needs as Permission[],
    isThere,
  },
  ...{ status, answer: typeof answer === 'string' ? () => answer : answer },
  after: (id: string) => (isThere ? increased(id) : more === '' ? null : `{"_id":"${id}","n":1}`),
}))

const DELETES: readonly Endpoint[] = [
  {
    name: 'delete',
    method: 'DELETE',
    path: one,
    ...there,
    ...remove,
    answer: before,
    unread: onlyId,
    after: gone,
  },
  {
    ...{ name: 'delete none', method: 'DELETE', path: one, ...missing, needs: ['delete'] },
    ...{ status: 404, code: 'document_not_found' },
  },
  {
    name: 'delete many',
    method: 'DELETE',
    path: matching(),
    ...there,
    ...remove,
    answer: () => '{"n":1}',
    after: gone,
  },
  {
    ...{
      name: 'drop',
      method: 'DELETE',
      path: (id: string) => `/apps/demo/collections/${dropped(id)}?drop=true`,
    },
    ...{ app: 'demo', collection: dropped, ...remove, answer: () => '{"dropped":true}' },
  },
]

const noApp = { app: 'gone', collection: things, status: 404, code: 'app_not_found' } as const
const upsert = { needsOneOf: ['create', 'update'], body: () => '{}' } as const
const inNoApp = (more: string) => (): string => `/apps/gone/collections/things${more}`
const IN_NO_APP: readonly Endpoint[] = [
  { name: 'find in no app', method: 'GET', path: inNoApp(''), needs: ['read'], ...noApp },
  { name: 'get in no app', method: 'GET', path: inNoApp('/x'), needs: ['read'], ...noApp },
  { name: 'save in no app', method: 'POST', path: inNoApp(''), ...upsert, ...noApp },
  { name: 'update in no app', method: 'PUT', path: inNoApp('/x'), ...upsert, ...noApp },
  {
    name: 'update many in no app',
    method: 'PUT',
    path: inNoApp('?q={}'),
    body: increment,
    needs: ['update'],
    ...noApp,
  },
  { name: 'delete in no app', method: 'DELETE', path: inNoApp('/x'), needs: ['delete'], ...noApp },
  { name: 'drop in no app', method: 'DELETE', path: inNoApp('?drop=true'), needs: ['delete'], ...noApp },
]

export const ENDPOINTS: readonly Endpoint[] = [
  ...OUTSIDE_APPS,
  ...READS,
  ...SAVES,
  ...UPDATES_OF_ONE,
  ...UPDATES_OF_MANY,
  ...DELETES,
  ...IN_NO_APP,
]
