import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors.ts'
import { pathParts, queryParameters, splitTarget } from './request-target.ts'

function values(query: string): [string, string][] {
  return [...queryParameters(query).values]
}

function hasCode(code: string) {
  return (error: unknown): boolean => error instanceof AppError && error.code === code
}

describe('a request target', () => {
  it('is cut at the first question mark', () => {
    assert.deepEqual(splitTarget('/a/b?c=1?d'), { path: '/a/b', query: 'c=1?d' })
    assert.deepEqual(splitTarget('/a'), { path: '/a', query: '' })
    assert.deepEqual(splitTarget('/a?'), { path: '/a', query: '' })
  })

  it('may have the absolute form that proxies send', () => {
    assert.deepEqual(splitTarget('https://host:8443/a?q={}'), { path: '/a', query: 'q={}' })
    assert.deepEqual(splitTarget('HTTP://host?x=/'), { path: '', query: 'x=/' })
  })
})

describe('a path', () => {
  it('refuses a % that begins no escape, and escapes that are not UTF-8', () => {
    for (const path of ['/%', '/a%2', '/%zz', '/%ff', '/%c3', '/%ed%a0%80', '/%c0%af'])
      assert.throws(() => pathParts(path), hasCode('invalid_path'), path)
  })

  it('is decoded exactly once, slashes and plus signs inside a part included', () => {
    assert.deepEqual(pathParts('/apps/x/a%2Fb'), ['apps', 'x', 'a/b'])
    assert.deepEqual(pathParts('/a%252Fb'), ['a%2Fb'])
    assert.deepEqual(pathParts('/a+b'), ['a+b'])
    assert.deepEqual(pathParts('/%F0%9F%98%80'), ['😀'])
  })

  it('keeps empty parts and dots', () => {
    assert.deepEqual(pathParts('/'), [''])
    assert.deepEqual(pathParts('//a/'), ['', 'a', ''])
    assert.deepEqual(pathParts('/a/../b'), ['a', '..', 'b'])
  })
})

describe('a query string', () => {
  it('refuses a % that begins no escape, and escapes that are not UTF-8', () => {
    for (const query of ['q=%', 'q=%g1', 'q=%ff', '%=1'])
      assert.throws(() => queryParameters(query), hasCode('invalid_parameter'), query)
  })

  it('takes JSON as it stands, and as forms encode it', () => {
    assert.deepEqual(values('q={"a":"x=y"}'), [['q', '{"a":"x=y"}']])
    assert.deepEqual(values('q=%7B%22a%22%3A1%7D'), [['q', '{"a":1}']])
    assert.deepEqual(values('q=a+b%2Bc'), [['q', 'a b+c']])
  })

  it('knows a parameter without a value, and passes over empty pairs', () => {
    assert.deepEqual(values('&c&&q=&'), [
      ['c', ''],
      ['q', ''],
    ])
  })

  it('tells which parameters stand there twice', () => {
    assert.deepEqual([...queryParameters('q=1&l=2&q=1&%71=3').repeated], ['q'])
    assert.deepEqual([...queryParameters('q=1&Q=2').repeated], [])
  })

  it('is not fooled by names that objects have', () => {
    const { values, repeated } = queryParameters('__proto__=1&constructor=2')
    assert.equal(values.get('__proto__'), '1')
    assert.equal(values.get('toString'), undefined)
    assert.equal(repeated.has('constructor'), false)
  })
})
