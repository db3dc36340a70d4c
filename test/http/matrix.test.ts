import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { generateApiKey } from '../../src/credentials/api-key.ts'
import { RULES } from '../../src/domain/key-rules.ts'
import { findResource, RESOURCES, type Resource } from '../../src/http/router.ts'
import { BAD_CREDENTIALS, type CredentialCase, GOOD_CREDENTIALS, type HeldKey } from './matrix/credentials.ts'
import { before as documentBefore, dropped, ENDPOINTS, type Endpoint } from './matrix/endpoints.ts'
import { ALL_PERMISSIONS, type RuleCase, ruleCases, TRIED_WITH_EVERY_CREDENTIAL } from './matrix/rules.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const PARALLEL = 32
const BULK = 5000

interface Request {
  readonly id: string
  readonly rule: RuleCase
  readonly endpoint: Endpoint
  readonly credential: CredentialCase
}

/** What should come of a request; a code only where it is refused. */
interface Expected {
  readonly status: number
  readonly code?: string | undefined
}

function requestsFor(rules: readonly RuleCase[]): Request[] {
  const requests: Request[] = []
  for (const [at, rule] of rules.entries())
    for (const [place, endpoint] of ENDPOINTS.entries()) {
      const inTurn = [GOOD_CREDENTIALS[(at + place) % GOOD_CREDENTIALS.length]!]
      const isWhole = TRIED_WITH_EVERY_CREDENTIAL.has(rule.name)
      for (const credential of isWhole ? [...GOOD_CREDENTIALS, ...BAD_CREDENTIALS] : inTurn)
        requests.push({ id: `r${requests.length}`, rule, endpoint, credential })
    }
  return requests
}

/** The rules of the game in their order; nothing here asks the code under test. */
function expectedOf({ rule, endpoint, credential }: Request): Expected {
  const [status, code] = credential.refused ?? rule.refused ?? []
  if (status !== undefined) return { status, code }
  const { permission = ALL_PERMISSIONS, apps = 'all', collections = 'all' } = rule.rules
  const { app, collection, needs = [], needsOneOf, turnsOut = [] } = endpoint
  const has = (each: (typeof ALL_PERMISSIONS)[number]): boolean => permission.includes(each)
  if (app !== undefined && apps !== 'all' && !apps.includes(app))
    return { status: 403, code: 'app_not_allowed' }
  const isDenied = !needs.every(has) || (needsOneOf !== undefined && !needsOneOf.some(has))
  if (isDenied) return { status: 403, code: 'permission_denied' }
  if (collection !== undefined && collections !== 'all' && !collections.includes('things'))
    return { status: 403, code: 'collection_not_allowed' }
  if (app === 'gone') return { status: 404, code: 'app_not_found' }
  if (!turnsOut.every(has)) return { status: 403, code: 'permission_denied' }
  return { status: endpoint.status, code: endpoint.code }
}

function isLetIn(request: Request): boolean {
  const { status, code } = expectedOf(request)
  return status === request.endpoint.status && code === request.endpoint.code
}

function describeRequest({ rule, endpoint, credential }: Request): string {
  return `${endpoint.name} · ${rule.name} · ${credential.name}`
}

/** Null where the answer is right. */
function faultOf(request: Request, answer: TestAnswer): string | null {
  const { status, code } = expectedOf(request)
  const { endpoint, rule, id } = request
  const got = `${describeRequest(request)}: ${answer.status} ${answer.text.slice(0, 120)}`
  if (answer.status !== status) return `${got}, not ${status} ${code ?? ''}`
  if (endpoint.method === 'HEAD') return answer.text === '' ? null : got
  if (code !== undefined) {
    const body = answer.json as { code: string; message: string }
    if (body.code !== code || Object.keys(body).join() !== 'code,message') return `${got}, not ${code}`
    // What a rule says is nobody's business; that a rule refuses, and which one, is all that there is to know.
    return status === 403 && /example|192|things|demo|other|secret/.test(body.message)
      ? `${got} tells too much`
      : null
  }
  const mayRead = (rule.rules.permission ?? ALL_PERMISSIONS).includes('read')
  const text = (mayRead ? undefined : endpoint.unread?.(id)) ?? endpoint.answer?.(id)
  if (text !== undefined && answer.text !== text) return `${got}, not ${text}`
  return !mayRead && answer.text.includes('secret') ? `${got} reads` : null
}

/** The documents of `things` by the request that is behind each. */
function documentsAfter(requests: readonly Request[]): Map<string, string> {
  const documents = new Map<string, string>()
  for (const request of requests) {
    const { id, endpoint } = request
    const start = endpoint.isThere ? documentBefore(id) : null
    const end = isLetIn(request) && endpoint.after !== undefined ? endpoint.after(id) : start
    if (end !== null) documents.set(id, end)
    if (isLetIn(request) && endpoint.body?.(id).includes('"by"')) documents.set(`by ${id}`, '')
  }
  return documents
}

describe('what a key may do', () => {
  const drops = requestsFor(ruleCases([]))
    .filter(({ endpoint }) => endpoint.name === 'drop')
    .map(({ id }) => dropped(id))
  const rules = ruleCases(drops)
  const requests = requestsFor(rules)
  const keys = new Map<RuleCase, HeldKey>(
    rules.map((rule, index) => [rule, { apiKey: generateApiKey(), keyId: `rule ${index}` }]),
  )
  let server: TestServer

  before(async () => {
    const given = rules.map((rule) => ({ ...keys.get(rule)!, name: rule.name, rules: rule.rules }))
    server = await startTestServer({ moreKeys: given })
    const texts = requests.filter(({ endpoint }) => endpoint.isThere).map(({ id }) => documentBefore(id))
    for (let at = 0; at < texts.length; at += BULK)
      await server.send('POST', '/apps/demo/collections/things', { body: `[${texts.slice(at, at + BULK)}]` })
    await Promise.all(
      drops.map((name) => server.send('POST', `/apps/demo/collections/${name}`, { body: '{}' })),
    )
    for (const rule of rules) if (rule.isUsedUp) await send(rule, 'GET', '/validate_key')
  })
  after(() => server.close())

  function send(rule: RuleCase, method: string, path: string): Promise<TestAnswer> {
    const headers = { 'X-Service-API-Key': keys.get(rule)!.apiKey, ...rule.headers }
    return server.send(method, path, { headers })
  }

  function sendRequest({ id, rule, endpoint, credential }: Request): Promise<TestAnswer> {
    const key = keys.get(rule)!
    const parameter = credential.parameter?.(key)
    const path = endpoint.path(id)
    const target = parameter === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${parameter}`
    const headers = { 'X-Service-API-Key': undefined, ...rule.headers, ...credential.headers?.(key) }
    const body = endpoint.body?.(id)
    return server.send(endpoint.method, target, { headers, ...(body !== undefined && { body }) })
  }

  it(`is what its rules say, for each of ${requests.length} requests`, async () => {
    const faults: string[] = []
    const queue = requests.values()
    const worker = async (): Promise<void> => {
      for (const request of queue) {
        const fault = faultOf(request, await sendRequest(request))
        if (fault !== null) faults.push(fault)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, worker))
    assert.deepEqual(faults.slice(0, 20), [], `${faults.length} of ${requests.length}`)
  })

  it('leaves everything as it was where it refuses', async () => {
    const all = await server.send('GET', '/apps/demo/collections/things?l=1000000')
    const found = new Map<string, string>()
    for (const document of all.json as { _id: string; by?: string }[])
      if (document.by === undefined) found.set(document._id, JSON.stringify(document))
      else found.set(`by ${document.by}`, '')
    const expected = documentsAfter(requests)
    const ids = new Set([...found.keys(), ...expected.keys()])
    const wrong = [...ids].filter((id) => found.get(id) !== expected.get(id))
    assert.deepEqual(
      wrong.slice(0, 10).map((id) => [describeRequest(requestBehind(id)), found.get(id), expected.get(id)]),
      [],
    )
    const kept = requests
      .filter((each) => each.endpoint.name === 'drop' && !isLetIn(each))
      .map(({ id }) => dropped(id))
    const { json } = await server.send('GET', '/apps/demo/collections')
    assert.deepEqual(json, [...kept, 'things'].sort())
  })

  function requestBehind(id: string): Request {
    return requests[Number(id.replace(/^by /, '').slice(1))]!
  }

  it('is tried with every rule that can refuse a request', () => {
    const tried = new Set(rules.flatMap((each) => Object.keys(each.rules)))
    assert.deepEqual(
      RULES.filter((rule) => !tried.has(rule)),
      ['tokenLifetimeMs'],
    )
  })

  it('is tried at every endpoint', () => {
    const resourceOf = (path: string): Resource | undefined =>
      findResource(new URL(path, 'https://localhost').pathname.split('/').slice(1))
    const untried = Object.entries<Resource>(RESOURCES).flatMap(([name, resource]) => {
      const tried = ENDPOINTS.filter(({ path }) => resourceOf(path('x')) === resource)
      // HEAD is GET without the body.
      return [...resource.methods.keys()]
        .filter((method) => method !== 'HEAD' && !tried.some((endpoint) => endpoint.method === method))
        .map((method) => `${method} ${name}`)
    })
    assert.deepEqual(untried, [])
  })

  it('holds for making tokens too', async () => {
    for (const rule of rules.filter(({ rules: { permission } }) => permission === undefined)) {
      const answer = await server.send('POST', `/create-token/${keys.get(rule)!.apiKey}`, {
        headers: { 'X-Service-API-Key': undefined, ...rule.headers },
      })
      assert.equal(answer.status, rule.refused?.[0] ?? 200, rule.name)
      if (rule.refused) assert.equal((answer.json as { code: string }).code, rule.refused[1], rule.name)
    }
  })

  it('says when to come again where a rate is used up', async () => {
    const answer = await send(rules.find(({ name }) => name === 'rate used up')!, 'GET', '/validate_key')
    assert.equal(answer.status, 429)
    assert.equal(answer.headers['retry-after'], '60')
  })

  it('lists what it may use, and no more', async () => {
    const list = async (name: string, path: string): Promise<unknown> => {
      const rule = rules.find((each) => each.name === `read, ${name}`)
      return (await send(rule!, 'GET', path)).json
    }
    assert.deepEqual(await list('anywhere', '/apps'), ['constructor', 'demo', 'other'])
    assert.deepEqual(await list('its app and one that is gone', '/apps'), ['demo'])
    assert.deepEqual(await list('another app', '/apps'), ['other'])
    assert.deepEqual(await list('no app', '/apps'), [])
    assert.deepEqual(await list('another collection', '/apps/demo/collections'), [])
    await server.send('POST', '/apps/demo/collections/Things', { body: '{}' })
    assert.deepEqual(await list('another collection', '/apps/demo/collections'), ['Things'])
  })
})
