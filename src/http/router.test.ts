import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathParts } from './request/request-target.ts'
import { findResource } from './router.ts'

function allow(path: string): string | undefined {
  return findResource(pathParts(path))?.allow
}

describe('the router', () => {
  it('knows nothing at other paths', () => {
    for (const path of [
      '//',
      '/x',
      '/Apps',
      '/apps//',
      '/apps/a',
      '/apps/a/',
      '/apps/a/b',
      '/apps/a/collections//',
      '/apps/a/collections//d',
      '/apps/a/collections/c//',
      '/apps/a/collections/c//d',
      '/apps/a/collections/c/d//',
      '/apps/a/collections/c/d/e',
      '/apps//collections//',
      '//apps/a/collections',
      '/create-token',
      '/create-token/',
      '/create-token//',
      '/create-token/a//',
      '/create-token/a/b',
      '/validate_key/x',
      '/constructor',
      '/__proto__',
      '/toString',
    ])
      assert.equal(allow(path), undefined, path)
  })

  it('names the methods of every path that it knows', () => {
    assert.equal(allow('/'), 'GET, HEAD')
    assert.equal(allow('/validate_key'), 'GET, HEAD')
    assert.equal(allow('/create-token/k'), 'POST')
    assert.equal(allow('/apps'), 'GET, HEAD')
    assert.equal(allow('/apps/a/collections'), 'GET, HEAD')
    assert.equal(allow('/apps/a/collections/c'), 'GET, HEAD, POST, PUT, DELETE')
    assert.equal(allow('/apps/a/collections/c/d'), 'GET, HEAD, POST, PUT, DELETE')
  })

  it('passes over a slash behind each of them', () => {
    for (const path of ['/apps', '/apps/a/collections', '/validate_key', '/create-token/k'])
      assert.equal(findResource(pathParts(`${path}/`)), findResource(pathParts(path)), path)
    const collection = findResource(pathParts('/apps/a/collections/c'))
    const document = findResource(pathParts('/apps/a/collections/c/d'))
    assert.notEqual(collection, document)
    assert.equal(findResource(pathParts('/apps/a/collections/c/')), collection)
    assert.equal(findResource(pathParts('/apps/a/collections/c/d/')), document)
    assert.equal(findResource(pathParts('/apps/a/collections/c/%2F')), document)
    assert.equal(findResource(pathParts('/apps/a/collections/c/d%2F/')), document)
  })
})
