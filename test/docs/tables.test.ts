import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Clone } from './clone.ts'
import { blockAfter, code, readPage, tableRows } from './page.ts'

const QUERIES = readPage('docs/reference/queries.md')
const UPDATES = readPage('docs/reference/updates.md')
const COLLECTION = '/apps/demo/collections/examples'
const ONLY_ID = encodeURIComponent('{"_id":1}')
const WITHOUT_ID = encodeURIComponent('{"_id":0}')
const ERROR_CODE = /^[a-z_]+$/

/** The rows of a page's tables with these columns, each cell's text without its backticks. */
function codeRows(page: string, ...columns: readonly string[]): string[][] {
  const rows = tableRows(page, ...columns)
  assert.ok(rows.length > 0, `there is no table of ${columns.join(', ')}`)
  return rows.map((row) => row.map(code))
}

describe('the tables of the reference', () => {
  let clone: Clone | undefined
  const ids = (text: string): string => `[${JSON.parse(text).map(({ _id }: { _id: number }) => _id)}]`
  before(async () => {
    clone = await Clone.start()
    const documents = blockAfter(QUERIES, 'on these documents:', 'json')
    assert.equal((await clone!.send('POST', COLLECTION, { body: documents })).status, 201)
  })
  after(() => clone?.close())

  for (const [query = '', found] of codeRows(QUERIES, 'query', 'finds'))
    it(`say what is found by ${query}`, async () => {
      const q = encodeURIComponent(query)
      const { text } = await clone!.send('GET', `${COLLECTION}?q=${q}&f=${ONLY_ID}`)
      assert.equal(ids(text), found)
      assert.equal(
        (await clone!.send('GET', `${COLLECTION}?q=${q}&c=true`)).text,
        String(JSON.parse(found!).length),
      )
    })

  for (const [query = '', problem] of codeRows(QUERIES, 'query', 'refused with'))
    it(`say that ${query} is refused`, async () => {
      const { status, text } = await clone!.send('GET', `${COLLECTION}?q=${encodeURIComponent(query)}`)
      assert.deepEqual({ status, code: JSON.parse(text).code }, { status: 400, code: problem })
    })

  for (const [sort = '', order] of codeRows(QUERIES, 's', 'order'))
    it(`say how ${sort} sorts`, async () => {
      const { text } = await clone!.send('GET', `${COLLECTION}?s=${encodeURIComponent(sort)}&f=${ONLY_ID}`)
      assert.equal(ids(text), order)
    })

  for (const [fields = '', shown] of codeRows(QUERIES, 'f', 'document'))
    it(`say what ${fields} chooses`, async () => {
      assert.equal((await clone!.send('GET', `${COLLECTION}/5?f=${encodeURIComponent(fields)}`)).text, shown)
    })

  for (const [old = '', body = '', changed = ''] of codeRows(UPDATES, 'before', 'body', 'after'))
    it(`say what ${body} makes of ${old}`, async () => {
      const path = `${COLLECTION}-changed/one`
      await clone!.send('PUT', path, { body: old })
      const { status, text } = await clone!.send('PUT', path, { body })
      const problem = ERROR_CODE.test(changed)
      if (problem) assert.deepEqual({ status, code: JSON.parse(text).code }, { status: 400, code: changed })
      else assert.equal(status, 200, text)
      const { text: stored } = await clone!.send('GET', `${path}?f=${WITHOUT_ID}`)
      assert.equal(stored, problem ? old : changed)
    })
})
