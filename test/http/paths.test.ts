import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

function codeOf(answer: TestAnswer): string | undefined {
  return (answer.json as { code?: string } | undefined)?.code
}

describe('ids in paths', () => {
  const C = '/apps/demo/collections/ids'
  const IDS = [
    '/',
    '?',
    '#',
    '%',
    '+',
    '%2F',
    'a/b?c#d%e+f&g=h',
    ' ',
    '😀',
    'é',
    '.',
    '..',
    '$a',
    '"\\',
    '\u0001',
    'constructor',
    '__proto__',
    ';',
    ':',
  ]

  it('are decoded exactly once', async () => {
    for (const id of IDS) {
      const path = `${C}/${id === '.' || id === '..' ? id : encodeURIComponent(id)}`
      const made = await server.send('PUT', path, { body: '{"a":1}' })
      assert.equal(made.status, 201, id)
      assert.equal((made.json as { _id: string })._id, id)
      assert.equal((await server.send('GET', path)).text, made.text)
      const found = await server.send(
        'GET',
        `${C}?fo=true&q=${encodeURIComponent(JSON.stringify({ _id: id }))}`,
      )
      assert.equal(found.text, made.text)
    }
    assert.equal((await server.send('GET', `${C}?c=true`)).text, String(IDS.length))
  })

  it('keep a raw plus sign, and need no more encoding than a URL does', async () => {
    assert.equal((await server.send('GET', `${C}/+`)).text, '{"_id":"+","a":1}')
    assert.equal((await server.send('GET', `${C}/$a`)).text, '{"_id":"$a","a":1}')
    assert.equal((await server.send('GET', `${C}/{"a"}`)).status, 404)
  })

  it('may be followed by a slash, as a collection may, and end with one that is encoded', async () => {
    const slashes = '/apps/demo/collections/slashes'
    const made = await server.send('POST', `${slashes}/`, { body: '[{"_id":"a"},{"_id":"a/","n":1}]' })
    assert.equal(made.status, 201)
    assert.equal((await server.send('GET', `${slashes}/`)).text, made.text)
    assert.equal((await server.send('GET', `${slashes}/?c=true`)).text, '2')
    assert.equal((await server.send('GET', `${slashes}/a/`)).text, '{"_id":"a"}')
    assert.equal((await server.send('GET', `${slashes}/a%2F`)).text, '{"_id":"a/","n":1}')
    assert.equal((await server.send('GET', `${slashes}/a%2F/`)).text, '{"_id":"a/","n":1}')
    assert.equal((await server.send('PUT', `${slashes}/a/`, { body: '{"n":2}' })).text, '{"_id":"a","n":2}')
    assert.equal(
      (await server.send('PUT', `${slashes}/?q={}`, { body: '{"n":3}' })).text,
      '{"n":2,"modified":2}',
    )
    for (const path of [`${slashes}//`, `${slashes}//a`, `${slashes}/a//`, '/apps/demo/collections//'])
      assert.equal((await server.send('GET', path)).status, 404, path)
    // Whoever means one document, and has lost its id, reaches no other.
    const bare = await server.send('DELETE', `${slashes}/`)
    assert.equal(codeOf(bare), 'missing_query')
    assert.equal(codeOf(await server.send('PUT', `${slashes}/`, { body: '{}' })), 'missing_query')
    assert.equal((await server.send('DELETE', `${slashes}/a/`)).text, '{"_id":"a","n":3}')
    assert.equal((await server.send('GET', `${slashes}?c=true`)).text, '1')
  })

  it('have a length and a form', async () => {
    for (const [id, code] of [
      ['x'.repeat(513), 'invalid_id'],
      ['x'.repeat(600), 'invalid_id'],
      [encodeURIComponent('😀'.repeat(129)), 'invalid_id'],
      ['%00', 'null_character'],
      ['a%00b', 'null_character'],
      ['%', 'invalid_path'],
      ['%4', 'invalid_path'],
      ['%ff', 'invalid_path'],
      ['%ed%a0%80', 'invalid_path'],
    ] as const)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await server.send(method, `${C}/${id}`, method === 'PUT' ? { body: '{}' } : {})
        assert.equal(answer.status, 400, `${method} ${id}`)
        assert.equal(codeOf(answer), code)
      }
    for (const id of ['x'.repeat(512), encodeURIComponent('😀'.repeat(128))])
      assert.equal((await server.send('PUT', `${C}/${id}`, { body: '{}' })).status, 201)
  })
})

describe('collections in paths', () => {
  it('have names of a form', async () => {
    for (const name of [
      '%00',
      '%0A',
      '%7F',
      '%C2%80',
      '.',
      '..',
      '$x',
      '%2F',
      'a%2Fb',
      'x'.repeat(129),
      encodeURIComponent('😀'.repeat(129)),
    ])
      for (const method of ['GET', 'POST']) {
        const answer = await server.send(
          method,
          `/apps/demo/collections/${name}`,
          method === 'POST' ? { body: '{}' } : {},
        )
        assert.equal(answer.status, 400, name)
        assert.equal(codeOf(answer), 'invalid_name', name)
      }
  })

  it('are case-sensitive, never normalised, and listed by code point', async () => {
    const names = [
      'constructor',
      '__proto__',
      'A',
      'a',
      'e\u0301',
      '\u00e9',
      'a b',
      'a+b',
      'a.b',
      '"',
      '\uff61',
      '😀'.repeat(128),
      "x' --",
    ]
    for (const [i, name] of names.entries()) {
      const path = `/apps/other/collections/${encodeURIComponent(name)}`
      assert.equal((await server.send('POST', path, { body: `{"_id":${i}}` })).status, 201, name)
    }
    for (const [i, name] of names.entries()) {
      const path = `/apps/other/collections/${encodeURIComponent(name)}`
      assert.equal((await server.send('GET', path)).text, `[{"_id":${i}}]`, name)
    }
    const listed = await server.send('GET', '/apps/other/collections')
    const expected = [
      '"',
      'A',
      '__proto__',
      'a',
      'a b',
      'a+b',
      'a.b',
      'constructor',
      'e\u0301',
      "x' --",
      '\u00e9',
      '\uff61',
      '😀'.repeat(128),
    ]
    assert.deepEqual(listed.json, expected)
    assert.equal((await server.send('GET', '/apps/other/collections/a+b')).text, '[{"_id":7}]')
    assert.equal((await server.send('GET', '/apps/other/collections/')).text, listed.text)
  })

  it('belong to their app alone, one named constructor included', async () => {
    const path = '/apps/constructor/collections/__proto__'
    assert.equal((await server.send('GET', path)).text, '[]')
    await server.send('POST', path, { body: '{"_id":"__proto__","__proto__":{"x":1}}' })
    assert.equal(
      (await server.send('GET', `${path}/__proto__`)).text,
      '{"_id":"__proto__","__proto__":{"x":1}}',
    )
    assert.equal((await server.send('GET', `${path}?q={"__proto__.x":1}&c=true`)).text, '1')
    assert.equal(({} as { x?: number }).x, undefined)
    assert.deepEqual((await server.send('GET', '/apps/constructor/collections')).json, ['__proto__'])
  })
})

describe('a long URL', () => {
  const C = '/apps/demo/collections/ids'

  it('is taken up to the limit', async () => {
    const query = `?c=true&x=${'x'.repeat(65_536 - C.length - 10)}`
    assert.equal((C + query).length, 65_536)
    assert.equal((await server.send('GET', C + query)).status, 200)
  })

  it('gets a clear answer beyond it, however long it is', async () => {
    for (const length of [65_537, 90_000]) {
      const answer = await server.send('GET', `/${'x'.repeat(length - 1)}`)
      assert.equal(answer.status, 400)
      assert.equal(codeOf(answer), 'url_too_long')
    }
    for (const length of [150_000, 3_000_000]) {
      const answer = await server.raw(`GET /${'x'.repeat(length)} HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, String(length))
      assert.match(answer, /"code":"url_too_long"/)
    }
  })
})
