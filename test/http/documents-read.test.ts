import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestServer, type TestServer } from './start-test-server.ts'

const FILMS = '/apps/demo/collections/films'
const ALL = [
  '{"_id":"a","title":"Alien","year":1979,"tags":["space","fear"]}',
  '{"_id":"b","title":"Brazil","year":1985,"by":{"name":"Gilliam","born":1940}}',
  '{"_id":"c","title":"Cube","year":1997,"tags":[]}',
  '{"_id":3,"title":"Dune","year":1984}',
]

let server: TestServer
before(async () => {
  server = await startTestServer()
  await server.send('POST', FILMS, { body: `[${ALL.join(',')}]` })
})
after(() => server.close())

async function text(path: string, status = 200): Promise<string> {
  const answer = await server.send('GET', path)
  assert.equal(answer.status, status, answer.text)
  return answer.text
}

async function refuses(path: string, code: string, pattern?: RegExp): Promise<void> {
  const answer = await server.send('GET', path)
  assert.equal(answer.status, 400, path)
  assert.equal((answer.json as { code: string }).code, code, path)
  if (pattern !== undefined) assert.match((answer.json as { message: string }).message, pattern)
}

describe('GET of a collection', () => {
  it('refuses integers that are not plain decimals', async () => {
    for (const value of ['1e3', '0x10', '-1', '10abc', '1.5', '']) {
      await refuses(`${FILMS}?l=${value}`, 'invalid_parameter')
      await refuses(`${FILMS}?sk=${value}`, 'invalid_parameter')
    }
  })

  it('refuses flags that are neither true nor false', async () => {
    for (const name of ['c', 'fo'])
      for (const value of ['', 'yes', 'TRUEE', '2'])
        await refuses(`${FILMS}?${name}=${value}`, 'invalid_parameter')
  })

  it('takes flags in any letter case, and as digits', async () => {
    for (const value of ['true', 'TRUE', 'True', '1']) {
      assert.equal(await text(`${FILMS}?c=${value}`), '4')
      assert.equal(await text(`${FILMS}?fo=${value}&q={"_id":"a"}`), ALL[0])
    }
    for (const value of ['false', 'FALSE', 'False', '0'])
      assert.equal(await text(`${FILMS}?c=${value}&fo=${value}&q={"_id":"a"}`), `[${ALL[0]}]`)
  })

  it('takes an empty q, s or f for none, and the empty list of PHP for q', async () => {
    const all = `[${ALL.join(',')}]`
    for (const query of ['q=', 's=', 'f=', 'q&s&f', 'q=&s=&f=&l=1000', 'q=[]', 'q=%5B%5D&s=']) {
      assert.equal(await text(`${FILMS}?${query}`), all, query)
      // The second and third time it may come from memory.
      assert.equal(await text(`${FILMS}?${query}`), all, query)
      assert.equal(await text(`${FILMS}?c=true&${query}`), '4', query)
      assert.equal(await text(`${FILMS}?fo=true&${query}`), ALL[0], query)
    }
    assert.equal(await text(`${FILMS}/a?f=`), ALL[0])
    assert.equal(await text(FILMS), all)
  })

  it('refuses a parameter that stands there twice', async () => {
    for (const name of ['q', 'f', 's'])
      await refuses(`${FILMS}?${name}={}&${name}={}`, 'duplicate_parameter', /twice/)
    for (const name of ['c', 'fo', 'l', 'sk'])
      await refuses(`${FILMS}?${name}=1&${name}=1`, 'duplicate_parameter')
  })

  it('refuses queries, sorts and projections that are not JSON objects', async () => {
    await refuses(`${FILMS}?q={title:1}`, 'invalid_query', /double quotes/)
    await refuses(`${FILMS}?q=%20`, 'invalid_query')
    await refuses(`${FILMS}?q=[{}]`, 'invalid_query')
    await refuses(`${FILMS}?q={"a":{"$gtt":1}}`, 'unknown_operator', /did you mean \$gt\?/)
    await refuses(`${FILMS}?q={"a":1,"a":2}`, 'duplicate_key')
    await refuses(`${FILMS}?s={title:1}`, 'invalid_parameter')
    await refuses(`${FILMS}?s={"title":2}`, 'invalid_parameter')
    await refuses(`${FILMS}?f={"title":1,"year":0}`, 'invalid_parameter')
    await refuses(`${FILMS}?f="title"`, 'invalid_parameter')
    await refuses(`${FILMS}?q=%FF`, 'invalid_parameter')
  })

  it('lists every document in natural order', async () => {
    assert.equal(await text(FILMS), `[${ALL.join(',')}]`)
    assert.equal(await text(`${FILMS}?`), `[${ALL.join(',')}]`)
  })

  it('takes a query raw, as forms encode it, and percent-encoded', async () => {
    const expected = `[${ALL[1]}]`
    assert.equal(await text(`${FILMS}?q={"by.name":"Gilliam"}`), expected)
    assert.equal(await text(`${FILMS}?q=%7B%22by.name%22%3A+%22Gilliam%22%7D`), expected)
    assert.equal(await text(`${FILMS}?q=${encodeURIComponent('{"by.name": "Gilliam"}')}`), expected)
  })

  it('combines sort, skip, limit and projection', async () => {
    const page = await text(`${FILMS}?s={"year":-1}&sk=1&l=2&f={"year":1}`)
    assert.equal(page, '[{"_id":"b","year":1985},{"_id":3,"year":1984}]')
    assert.equal(await text(`${FILMS}?l=0`), '[]')
    assert.equal(await text(`${FILMS}?sk=4`), '[]')
    assert.equal(await text(`${FILMS}?sk=9007199254740991&l=9007199254740991`), '[]')
  })

  it('sorts by fields in their written order, integer-like ones too', async () => {
    const path = '/apps/demo/collections/numbered'
    await server.send('POST', path, {
      body: '[{"_id":"x","1":1,"2":1},{"_id":"y","1":2,"2":2},{"_id":"z","1":0,"2":2}]',
    })
    assert.equal(await text(`${path}?s={"2":-1,"1":1}&f={"_id":1}`), '[{"_id":"z"},{"_id":"y"},{"_id":"x"}]')
  })

  it('answers at most 1000 documents where nothing else is asked for', async () => {
    const path = '/apps/demo/collections/many'
    const body = JSON.stringify(Array.from({ length: 1001 }, (_, i) => ({ _id: i })))
    await server.send('POST', path, { body })
    assert.equal(JSON.parse(await text(path)).length, 1000)
    assert.equal(JSON.parse(await text(`${path}?l=2000`)).length, 1001)
  })

  it('counts with a bare number, whatever else is asked for', async () => {
    assert.equal(await text(`${FILMS}?c=true`), '4')
    assert.equal(await text(`${FILMS}?c=1&l=1&sk=3&s={"year":1}&f={"year":1}&fo=true`), '4')
    assert.equal(await text(`${FILMS}?c=true&q={"year":{"$lt":1985}}`), '2')
    assert.equal(await text(`${FILMS}?c=false&l=0`), '[]')
  })

  it('answers the first document bare, or null', async () => {
    assert.equal(await text(`${FILMS}?fo=true`), ALL[0])
    assert.equal(
      await text(`${FILMS}?fo=true&s={"year":-1}&sk=1&f={"title":1,"_id":0}`),
      '{"title":"Brazil"}',
    )
    assert.equal(await text(`${FILMS}?fo=true&q={"year":1}`), 'null')
    assert.equal(await text(`${FILMS}?fo=0&l=1`), `[${ALL[0]}]`)
  })

  it('passes over parameters that it does not know', async () => {
    assert.equal(await text(`${FILMS}?x=1&x=2&Q={&l=1`), `[${ALL[0]}]`)
  })

  it('reads a collection that does not exist as empty, without making it', async () => {
    const path = '/apps/demo/collections/nothing'
    assert.equal(await text(path), '[]')
    assert.equal(await text(`${path}?c=true`), '0')
    assert.equal(await text(`${path}?fo=true`), 'null')
    await text(`${path}/x`, 404)
    assert.equal(JSON.parse(await text('/apps/demo/collections')).includes('nothing'), false)
  })
})

describe('GET of a document', () => {
  it('is 404 where there is none', async () => {
    const answer = await server.send('GET', `${FILMS}/nope`)
    assert.equal(answer.status, 404)
    assert.equal((answer.json as { code: string }).code, 'document_not_found')
  })

  it('answers it, projected where f says so', async () => {
    assert.equal(await text(`${FILMS}/a`), ALL[0])
    assert.equal(await text(`${FILMS}/b?f={"by.name":1}`), '{"_id":"b","by":{"name":"Gilliam"}}')
    assert.equal(await text(`${FILMS}/a?f={"_id":0,"tags":0}`), '{"title":"Alien","year":1979}')
    await refuses(`${FILMS}/a?f={"a":2}`, 'invalid_parameter')
    await refuses(`${FILMS}/a?f={}&f={}`, 'duplicate_parameter')
  })

  it('takes a number for a number only where no text of that form is an id', async () => {
    assert.equal(await text(`${FILMS}/3`), ALL[3])
    await text(`${FILMS}/3.0`, 404)
    await server.send('POST', FILMS, { body: '{"_id":"3","title":"text"}' })
    assert.equal(await text(`${FILMS}/3`), '{"_id":"3","title":"text"}')
    await server.send('DELETE', `${FILMS}/3`)
    assert.equal(await text(`${FILMS}/3`), ALL[3])
  })
})
