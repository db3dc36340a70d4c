import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused } from './answers.ts'
import { Bystander, TARGET } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

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

/** Query strings that a client with a mistake in it sends, each of which could be taken for every document. */
const BAD: readonly (readonly [query: string, code: string])[] = [
  ['', 'missing_query'],
  ['?', 'missing_query'],
  ['?q', 'missing_query'],
  ['?q=', 'missing_query'],
  ['?q=&x=1', 'missing_query'],
  ['?Q={}', 'missing_query'],
  ['?query={}', 'missing_query'],
  ['?qq={}', 'missing_query'],
  ['?%20q={}', 'missing_query'],
  ['?q%5B%5D={}', 'missing_query'],
  ['?q.a=1', 'missing_query'],
  ['?=q={}', 'missing_query'],
  ['?{}', 'missing_query'],
  ['?u=true', 'missing_query'],
  ['?q=%20', 'invalid_query'],
  ['?q=null', 'invalid_query'],
  ['?q=undefined', 'invalid_query'],
  ['?q=[object%20Object]', 'invalid_query'],
  ['?q=true', 'invalid_query'],
  ['?q=0', 'invalid_query'],
  ['?q=""', 'invalid_query'],
  ['?q="{}"', 'invalid_query'],
  ['?q=[]', 'invalid_query'],
  ['?q=[{}]', 'invalid_query'],
  ['?q={', 'invalid_query'],
  ['?q={}{}', 'invalid_query'],
  ['?q=%257B%257D', 'invalid_query'],
  ['?q={a:1}', 'invalid_query'],
  ['?q={"$and":[]}', 'invalid_query'],
  ['?q={"$where":"1"}', 'unknown_operator'],
  ['?q={}&q={}', 'duplicate_parameter'],
  ['?q={"a":9}&q={}', 'duplicate_parameter'],
  ['?q={}&%71={"a":9}', 'duplicate_parameter'],
  ['?q=&q=', 'duplicate_parameter'],
  ['?q=%', 'invalid_parameter'],
  ['?q={}&x=%ff', 'invalid_parameter'],
]

describe('a write to many documents', () => {
  it('without a query that says which is refused, and nothing is changed', async () => {
    await bystander.holdsDuring(async () => {
      for (const [query, code] of BAD) {
        const path = TARGET + query
        for (const body of ['{"$set":{"x":1}}', '{"x":1}', '{}'])
          assertRefused(await server.client.send('PUT', path, { body }), code, `PUT ${path}`)
        // It goes with PUT alone.
        const ofDelete = query.startsWith('?u=') ? 'invalid_parameter' : code
        assertRefused(await server.client.send('DELETE', path), ofDelete, `DELETE ${path}`)
      }
    })
  })

  it('with a flag that is neither true nor false, or stands there twice, is refused', async () => {
    await bystander.holdsDuring(async () => {
      for (const flag of ['m', 'u']) {
        for (const value of ['', 'yes', 'TRUEE', 'no', '2', 'null', '-1', '%20true'])
          assertRefused(
            await server.client.send('PUT', `${TARGET}?q={}&${flag}=${value}`, { body: '{"$set":{"x":1}}' }),
            'invalid_parameter',
            `${flag}=${value}`,
          )
        const twice = `${TARGET}?q={}&${flag}=false&${flag}=false`
        const answer = await server.client.send('PUT', twice, { body: '{"$set":{"x":1}}' })
        assertRefused(answer, 'duplicate_parameter', twice)
      }
    })
  })

  it('to drop a collection has to be asked for in so many words', async () => {
    await bystander.holdsDuring(async () => {
      for (const [query, code] of [
        ['?drop', 'invalid_parameter'],
        ['?drop=', 'invalid_parameter'],
        ['?drop=yes', 'invalid_parameter'],
        ['?drop=false', 'missing_query'],
        ['?Drop=true', 'missing_query'],
        ['?drop=true&drop=true', 'duplicate_parameter'],
        ['?drop=true&q={}', 'invalid_parameter'],
        ['?drop=true&q=', 'invalid_parameter'],
      ] as const)
        assertRefused(await server.client.send('DELETE', TARGET + query), code, query)
      assertRefused(await server.client.send('DELETE', `${TARGET}/`), 'missing_query', 'an empty id')
      for (const path of ['/apps/demo', '/apps/demo/', '/apps/demo/collections', '/apps', '/'])
        assert.ok([404, 405].includes((await server.client.send('DELETE', path)).status), path)
    })
  })
})
