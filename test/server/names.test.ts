import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, encoded } from './answers.ts'
import { Bystander } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const PROTOTYPE_NAMES = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
const LONGEST_NAME = '😀'.repeat(128)

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer()
  bystander = await Bystander.of(server)
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

async function answered(method: string, path: string, body?: string): Promise<string> {
  const { status, text } = await server.client.send(method, path, body === undefined ? {} : { body })
  assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${text}`)
  return text
}

describe('an id', () => {
  const C = '/apps/demo/collections/ids'

  it('is any text, which a path names percent-encoded', async () => {
    const marks = [
      '/',
      '//',
      '?',
      '#',
      '%',
      '%%',
      '+',
      '&',
      '=',
      ';',
      ':',
      '@',
      '!',
      "'",
      '"',
      '\\',
      '`',
      '{}',
      '[]',
    ]
    const encodings = ['%2F', '%252F', '%00', '%', 'a/b?c#d%e+f&g=h', '..%2f..', 'a%20b', '+%2B']
    const odd = [
      ' ',
      '  a ',
      '.',
      '..',
      '...',
      '$set',
      '-',
      '~',
      '\t',
      '\n',
      '\u0001',
      '\u007f',
      '\u2028',
      '\ufeff',
    ]
    const languages = [
      'é',
      'e\u0301',
      '😀',
      '👩‍👩‍👧',
      '\uff61',
      'ß',
      'İ',
      '漢字',
      'עברית',
      'x'.repeat(512),
      '😀'.repeat(128),
    ]
    const sql = [
      "' OR 1=1 --",
      "'; DROP TABLE c1; --",
      '"; --',
      'c1',
      'null',
      'true',
      'undefined',
      'NaN',
      '1e3',
      '0x1',
    ]
    const all = [...new Set([...marks, ...encodings, ...odd, ...languages, ...sql, ...PROTOTYPE_NAMES])]
    await bystander.holdsDuring(async () => {
      await server.client.send('DELETE', `${C}?drop=true`)
      for (const [n, id] of all.entries()) {
        const path = `${C}/${encodeURIComponent(id)}`
        const text = `{"_id":${JSON.stringify(id)},"n":${n}}`
        assert.equal(await answered('PUT', path, `{"n":${n}}`), text)
        assert.equal(await answered('GET', path), text)
        assert.equal(await answered('GET', `${C}?fo=true&q=${encoded({ _id: id })}`), text)
        assert.equal(await answered('POST', C, text), text)
      }
      assert.equal(await answered('GET', `${C}?c=true`), String(all.length))
      for (const [n, id] of all.entries())
        assert.equal(
          await answered('DELETE', `${C}/${encodeURIComponent(id)}`),
          `{"_id":${JSON.stringify(id)},"n":${n}}`,
        )
      assert.equal(await answered('GET', C), '[]')
    })
  })

  it('too long, empty or of another type is refused', async () => {
    await bystander.holdsDuring(async () => {
      for (const id of ['x'.repeat(513), 'x'.repeat(600), '😀'.repeat(129), 'é'.repeat(257)]) {
        for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
          const path = `${C}/${encodeURIComponent(id)}`
          assertRefused(
            await server.client.send(method, path, { body: '{}' }),
            'invalid_id',
            `${method} ${id}`,
          )
        }
        const body = JSON.stringify({ _id: id })
        assertRefused(await server.client.send('POST', C, { body }), 'invalid_id', id)
      }
      for (const id of ['""', 'null', 'true', '[]', '{}', '["a"]', '{"$oid":"x"}'])
        assertRefused(await server.client.send('POST', C, { body: `{"_id":${id}}` }), 'invalid_id', id)
      for (const path of ['%00', 'a%00', '%', '%4', '%zz', '%ff', '%ed%a0%80', '%c0%af'])
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const answer = await server.client.send(method, `${C}/${path}`, { body: '{}' })
          assertRefused(answer, ['null_character', 'invalid_path'], path)
        }
      assert.equal(await answered('GET', C), '[]')
    })
  })
})

describe('a collection', () => {
  it('may be named as the members of objects are', async () => {
    await bystander.holdsDuring(async () => {
      for (const [n, name] of [...PROTOTYPE_NAMES, 'collections', 'sqlite_master', LONGEST_NAME].entries()) {
        const path = `/apps/demo/collections/${encodeURIComponent(name)}`
        await server.client.send('DELETE', `${path}?drop=true`)
        assert.equal(await answered('GET', path), '[]')
        assert.equal(await answered('POST', path, `{"_id":${n}}`), `{"_id":${n}}`)
        assert.equal(await answered('GET', path), `[{"_id":${n}}]`)
      }
      const names = JSON.parse(await answered('GET', '/apps/demo/collections')) as string[]
      for (const name of PROTOTYPE_NAMES) assert.ok(names.includes(name), name)
    })
  })

  it('may not have a name of another form', async () => {
    const names = ['%00', 'a%00b', '%0a', '%1f', '%7f', '%c2%80', '.', '..', '$x', '%24x', 'a%2fb', '%2f']
    await bystander.holdsDuring(async () => {
      for (const name of [...names, 'x'.repeat(129), encodeURIComponent('😀'.repeat(129))])
        for (const [method, path] of [
          ['GET', name],
          ['POST', name],
          ['PUT', `${name}?q={}`],
          ['PUT', `${name}/1`],
          ['DELETE', `${name}?drop=true`],
        ] as const) {
          const answer = await server.client.send(method, `/apps/demo/collections/${path}`, { body: '{}' })
          assertRefused(answer, 'invalid_name', `${method} ${path}`)
        }
    })
  })
})

describe('an app', () => {
  it('that does not exist is not found, whatever it is called', async () => {
    const names = [
      ...PROTOTYPE_NAMES,
      'nope',
      'Demo',
      'DEMO',
      'demo ',
      '%64emo2',
      '..',
      '.',
      '-',
      'x'.repeat(64),
      '%00',
    ]
    await bystander.holdsDuring(async () => {
      for (const name of [...names, '%2e%2e', "'", 'demo%2fcollections', '😀'].map(encodeURI))
        for (const [method, rest] of [
          ['GET', ''],
          ['GET', '/c'],
          ['POST', '/c'],
          ['PUT', '/c/1'],
          ['DELETE', '/c?drop=true'],
        ] as const) {
          const path = `/apps/${name.replaceAll('%25', '%')}/collections${rest}`
          const answer = await server.client.send(method, path, { body: '{}' })
          assertRefused(answer, ['app_not_found', 'unknown_path'], path, 404)
        }
    })
  })
})
