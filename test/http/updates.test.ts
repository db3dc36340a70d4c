import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { documentBytes: 200 } })
})
afterEach(() => server.send('DELETE', `${C}?drop=true`))
after(() => server.close())

function put(path: string, body: string): Promise<TestAnswer> {
  return server.send('PUT', path, { body })
}

async function save(...documents: string[]): Promise<void> {
  await server.send('POST', C, { body: `[${documents.join(',')}]` })
}

async function all(): Promise<string> {
  return (await server.send('GET', C)).text
}

function assertRefused(answer: TestAnswer, code: string): void {
  assert.equal((answer.json as { code?: string })?.code, code, answer.text)
  assert.equal(answer.status, 400)
}

describe('PUT to a document', () => {
  it('refuses bodies that are no update', async () => {
    for (const body of ['', '{', 'a=1']) assertRefused(await put(`${C}/x`, body), 'invalid_json')
    for (const body of ['[]', '1', 'null', '{"$set":{"a":1},"b":1}', '{"b":1,"$set":{"a":1}}'])
      assertRefused(await put(`${C}/x`, body), 'invalid_update')
    assertRefused(await put(`${C}/x`, '{"$sett":{"a":1}}'), 'unknown_modifier')
    assertRefused(await put(`${C}/x`, `{"a":"${'x'.repeat(300)}"}`), 'document_too_large')
    assert.equal(await all(), '[]')
  })

  it('creates what is missing with 201, and replaces what is there with 200', async () => {
    const created = await put(`${C}/x`, '{"b":1,"a":2}')
    assert.equal(created.status, 201)
    assert.equal(created.text, '{"_id":"x","b":1,"a":2}')
    const replaced = await put(`${C}/x`, '{}')
    assert.equal(replaced.status, 200)
    assert.equal(replaced.text, '{"_id":"x"}')
  })

  it('applies modifiers, and creates with them', async () => {
    assert.equal((await put(`${C}/x`, '{"$inc":{"n":2},"$setOnInsert":{"new":true}}')).status, 201)
    const answer = await put(`${C}/x`, '{"$inc":{"n":1.5},"$currentDate":{"at":true}}')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"_id":"x","n":3.5,"new":true,"at":"2025-01-02T03:04:05.678Z"}')
    assertRefused(await put(`${C}/x`, '{"$inc":{"new":1}}'), 'update_not_applicable')
  })

  it('is what POST to a document is, too', async () => {
    assert.equal((await server.send('POST', `${C}/x`, { body: '{"a":1}' })).status, 201)
    assert.equal(
      (await server.send('POST', `${C}/x`, { body: '{"$inc":{"a":1}}' })).text,
      '{"_id":"x","a":2}',
    )
  })

  it('refuses another _id in the body', async () => {
    assertRefused(await put(`${C}/x`, '{"_id":"y"}'), 'immutable_id')
    assertRefused(await put(`${C}/1`, '{"_id":2}'), 'immutable_id')
    assertRefused(await put(`${C}/x`, '{"_id":null}'), 'immutable_id')
    assertRefused(await put(`${C}/x`, '{"_id":"Service.ServerValue.UUID"}'), 'immutable_id')
    assertRefused(await put(`${C}/x`, '{"$set":{"_id":"y"}}'), 'immutable_id')
    assert.equal(await all(), '[]')
  })

  it('means the text, then the number, then the text that it creates', async () => {
    assert.equal((await put(`${C}/1`, '{"a":1}')).text, '{"_id":"1","a":1}')
    await save('{"_id":2}', '{"_id":"3"}', '{"_id":3}')
    assert.equal((await put(`${C}/2`, '{"a":2}')).text, '{"_id":2,"a":2}')
    assert.equal((await put(`${C}/3`, '{"a":3}')).text, '{"_id":"3","a":3}')
    assert.equal((await put(`${C}/3`, '{"$set":{"a":4}}')).text, '{"_id":"3","a":4}')
  })

  it('creates the number where the body carries it, and the text is no document', async () => {
    await save('{"_id":"1"}', '{"_id":1}', '{"_id":2}')
    assertRefused(await put(`${C}/1`, '{"_id":1,"a":1}'), 'immutable_id')
    assertRefused(await put(`${C}/1`, '{"$set":{"_id":1,"a":3}}'), 'immutable_id')
    assert.equal((await put(`${C}/1`, '{"_id":"1","a":2}')).text, '{"_id":"1","a":2}')
    assertRefused(await put(`${C}/2`, '{"_id":"2","a":2}'), 'immutable_id')
    assert.equal((await put(`${C}/2`, '{"_id":2.0,"a":2}')).text, '{"_id":2,"a":2}')
    const created = await put(`${C}/9007199254740993`, '{"_id":9007199254740993}')
    assert.equal(created.status, 201)
    assert.equal(created.text, '{"_id":9007199254740993}')
    assert.equal((await put(`${C}/7`, '{"$set":{"_id":7}}')).text, '{"_id":7}')
  })

  it('loses none of 100 parallel increments', async () => {
    await Promise.all(Array.from({ length: 100 }, () => put(`${C}/x`, '{"$inc":{"n":1}}')))
    assert.equal(await all(), '[{"_id":"x","n":100}]')
  })
})

describe('PUT to a collection', () => {
  it('refuses to do without a query', async () => {
    await save('{"_id":1}')
    assertRefused(await put(C, '{"$set":{"a":1}}'), 'missing_query')
    assertRefused(await put(`${C}?q=`, '{"$set":{"a":1}}'), 'missing_query')
    assertRefused(await put(`${C}?Q={}&query={}`, '{"$set":{"a":1}}'), 'missing_query')
    assertRefused(await put(`${C}?q={}&q={}`, '{"$set":{"a":1}}'), 'duplicate_parameter')
    for (const q of ['[]', 'null', '"x"', '1', '{a:1}', 'undefined'])
      assertRefused(await put(`${C}?q=${q}`, '{"$set":{"a":1}}'), 'invalid_query')
    assertRefused(await put(`${C}?q={}&m=maybe`, '{"$set":{"a":1}}'), 'invalid_parameter')
    assertRefused(await put(`${C}?q={}&u=`, '{"$set":{"a":1}}'), 'invalid_parameter')
    assert.equal(await all(), '[{"_id":1}]')
  })

  it('updates every match, and says how many it reached and changed', async () => {
    await save('{"_id":1,"a":1}', '{"_id":2,"a":2}', '{"_id":3,"a":1}')
    const answer = await put(`${C}?q={"a":{"$lt":3}}`, '{"$max":{"a":2}}')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"n":3,"modified":2}')
    assert.equal((await put(`${C}?q={"a":7}`, '{"$set":{"b":1}}')).text, '{"n":0,"modified":0}')
    assert.equal((await put(`${C}?q={}`, '{"b":1}')).text, '{"n":3,"modified":3}')
    assert.equal(await all(), '[{"_id":1,"b":1},{"_id":2,"b":1},{"_id":3,"b":1}]')
  })

  it('changes nothing where one document cannot be changed', async () => {
    await save('{"_id":1,"a":1}', '{"_id":2,"a":"x"}')
    assertRefused(await put(`${C}?q={}`, '{"$inc":{"a":1}}'), 'update_not_applicable')
    assert.equal(await all(), '[{"_id":1,"a":1},{"_id":2,"a":"x"}]')
  })

  it('stops at the first match with m=false', async () => {
    await save('{"_id":2}', '{"_id":1}')
    assert.equal((await put(`${C}?q={}&m=false`, '{"$set":{"a":1}}')).text, '{"n":1,"modified":1}')
    assert.equal(await all(), '[{"_id":2,"a":1},{"_id":1}]')
  })

  it('changes and deletes nothing where another number matches than expect says', async () => {
    await save('{"_id":1,"a":1}', '{"_id":2,"a":1}')
    const answer = await put(`${C}?q={"a":1}&expect=1`, '{"$set":{"a":2}}')
    assert.equal(answer.status, 412)
    assert.match(answer.text, /"unexpected_count".*"2 documents match and not 1/)
    assert.equal((await server.send('DELETE', `${C}?q={}&expect=3`)).status, 412)
    for (const query of ['q={}&expect=', 'q={}&expect=-1', 'q={}&expect=1&expect=1', 'q={}&expect=1&m=false'])
      assert.equal((await put(`${C}?${query}`, '{"$set":{"a":2}}')).status, 400, query)
    assertRefused(await server.send('DELETE', `${C}?drop=true&expect=2`), 'invalid_parameter')
    assert.equal(await all(), '[{"_id":1,"a":1},{"_id":2,"a":1}]')
    assert.equal((await put(`${C}?q={"a":1}&expect=2`, '{"$set":{"a":2}}')).text, '{"n":2,"modified":2}')
    assert.equal((await server.send('DELETE', `${C}?q={}&expect=2`)).text, '{"n":2}')
  })

  it('inserts with u=true where nothing matches, and n counts what matched', async () => {
    const answer = await put(`${C}?q={"_id":"x","kind":"k","n":{"$gt":1}}&u=true`, '{"$set":{"a":1}}')
    assert.equal(answer.status, 201)
    assert.equal(answer.text, '{"n":0,"modified":0,"upserted":"x"}')
    assert.equal(await all(), '[{"_id":"x","kind":"k","a":1}]')
    const minimal = await server.send('PUT', `${C}?q={"_id":9007199254740993}&u=TRUE`, {
      body: '{"a":3}',
      headers: { Prefer: 'return=minimal' },
    })
    assert.equal(minimal.status, 201)
    assert.equal(minimal.text, '{"n":0,"upserted":9007199254740993}')
    assert.equal(minimal.headers['preference-applied'], 'return=minimal')
    assert.equal((await put(`${C}?q={"_id":"x"}&u=1`, '{"$set":{"a":2}}')).text, '{"n":1,"modified":1}')
    assert.equal((await put(`${C}?q={"_id":"y"}&u=false`, '{"$set":{"a":2}}')).text, '{"n":0,"modified":0}')
  })
})

describe('DELETE', () => {
  beforeEach(() => save('{"_id":1,"a":1}', '{"_id":"x","a":1.0}', '{"_id":"y","a":2}'))

  it('of a document answers it, and 404 where there is none', async () => {
    const answer = await server.send('DELETE', `${C}/x`)
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"_id":"x","a":1.0}')
    assert.equal((await server.send('DELETE', `${C}/x`)).status, 404)
    assert.equal((await server.send('DELETE', `${C}/1`)).text, '{"_id":1,"a":1}')
  })

  it('of many needs a query, and answers their number', async () => {
    assertRefused(await server.send('DELETE', `${C}?q=`), 'missing_query')
    assertRefused(await server.send('DELETE', `${C}?q={}&q={}`), 'duplicate_parameter')
    assertRefused(await server.send('DELETE', `${C}?q=[]`), 'invalid_query')
    assertRefused(await server.send('DELETE', `${C}?Q={}`), 'missing_query')
    assert.equal((await server.send('DELETE', `${C}?q={"a":1}`)).text, '{"n":2}')
    assert.equal((await server.send('DELETE', `${C}?q={}`)).text, '{"n":1}')
    assert.equal(await all(), '[]')
  })

  it('bare is refused, and names the two ways', async () => {
    const answer = await server.send('DELETE', C)
    assertRefused(answer, 'missing_query')
    assert.match(answer.text, /\?q=.*\?drop=true/)
    assertRefused(await server.send('DELETE', `${C}?drop=false`), 'missing_query')
    assertRefused(await server.send('DELETE', `${C}?drop=yes`), 'invalid_parameter')
    assertRefused(await server.send('DELETE', `${C}?drop=true&q={}`), 'invalid_parameter')
  })

  it('takes no word for fewer documents than it deletes', async () => {
    const before = await all()
    assertRefused(await server.send('DELETE', `${C}?q={"a":1}&m=false`), 'invalid_parameter')
    const writes = [
      [`PUT ${C}?q={}`, ['l=1', 'sk=1', 'fo=true', 'c=true', 's={"a":1}', 'after=x', 'drop=true', 'l=']],
      [`DELETE ${C}?q={}`, ['l=1', 'sk=1', 'fo=true', 'c=true', 's={"a":1}', 'after=x', 'u=true']],
      [`POST ${C}?`, ['q={"a":5}', 'drop=true', 'm=false', 'u=true', 'l=1', 'expect=1']],
      [`PUT ${C}/x?`, ['q={"a":5}', 'q=', 'm=false', 'u=false', 'drop=true', 'l=1']],
      [`POST ${C}/x?`, ['q={"a":5}', 'drop=true']],
      [`DELETE ${C}/x?`, ['q={"a":5}', 'drop=true', 'm=false', 'expect=1']],
    ] as const
    for (const [write, parameters] of writes)
      for (const parameter of parameters) {
        const [method = '', path = ''] = write.split(' ')
        const body = method === 'DELETE' ? {} : { body: '{"a":7}' }
        const answer = await server.send(method, `${path}&${parameter}`, body)
        assertRefused(answer, 'invalid_parameter')
        const name = parameter.split('=')[0]!
        assert.match(
          answer.text,
          new RegExp(`the parameter ${name} does not go with this write; leave it out: `),
        )
      }
    assert.equal(await all(), before)
    const passed = 'f={"a":1}&author=ada'
    assert.equal((await put(`${C}?q={"a":404}&${passed}`, '{"a":7}')).text, '{"n":0,"modified":0}')
    assert.equal((await server.send('DELETE', `${C}?q={"a":1}&m=true`)).text, '{"n":2}')
  })

  it('drops a collection, and says whether there was one', async () => {
    assert.equal((await server.send('DELETE', `${C}?drop=true`)).text, '{"dropped":true}')
    assert.equal((await server.send('DELETE', `${C}?drop=1`)).text, '{"dropped":false}')
    assert.deepEqual((await server.send('GET', '/apps/demo/collections')).json, [])
  })
})
