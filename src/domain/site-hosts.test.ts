import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostName, previewHost, previewLabel, reservedSlug, siteHost } from './site-hosts.ts'

const NAMES = { domain: 'sites.example', ownHosts: new Set(['db.sites.example', 'localhost']) }

test('a host is the same in any case, with any port, and with the dot that may end a name', () => {
  for (const [header, name] of [
    ['Todo.LocalHost', 'todo.localhost'],
    ['todo.localhost:8443', 'todo.localhost'],
    ['todo.localhost.:8443', 'todo.localhost'],
    ['todo.localhost:', 'todo.localhost'],
    ['todo.localhost..', 'todo.localhost.'],
    ['[::1]:8443', '[::1]'],
    ['[::1]', '[::1]'],
    ['192.0.2.1', '192.0.2.1'],
    [':443', ''],
    ['', ''],
  ] as const)
    assert.equal(hostName(header), name, header)
})

test('a slug that could be taken for something else has no site', () => {
  assert.match(reservedSlug('preview-1-todo', NAMES)!, /address of a preview/)
  assert.match(reservedSlug('xn--bcher-kva', NAMES)!, /name in another script/)
  assert.match(reservedSlug('www', NAMES)!, /^www\.sites\.example is/)
  assert.match(reservedSlug('db', NAMES)!, /^db\.sites\.example is an address of the server itself/)
  for (const slug of ['todo', 'preview', 'preview-1', 'preview-a-todo', 'previews', 'www2', '1-2'])
    assert.equal(reservedSlug(slug, NAMES), undefined, slug)
})

test('no label of a preview is longer than names allow', () => {
  assert.equal(siteHost('todo', 'localhost'), 'todo.localhost')
  assert.equal(previewHost('todo', 12, 'localhost'), 'preview-12-todo.localhost')
  const fitting = 'a'.repeat(53)
  assert.equal(previewHost(fitting, 1, 'localhost'), `preview-1-${fitting}.localhost`)
  // echo -n aaa… (63 of them) | sha256sum
  assert.equal(previewHost('a'.repeat(63), 1, 'localhost'), `preview-1-${'a'.repeat(44)}-7d3e74a0.localhost`)
  for (const version of [1, 99, 100_000]) {
    const [label = ''] = previewHost('b'.repeat(63), version, 'localhost').split('.')
    assert.equal(label.length, 63)
  }
})

test('no slug can be made for the preview of another', () => {
  const [label = ''] = previewHost('a'.repeat(63), 1, 'localhost').split('.')
  const { rest = '' } = previewLabel(label) ?? {}
  assert.equal(rest.length, 53)
  assert.notEqual(previewHost(rest, 1, 'localhost'), `${label}.localhost`)
})

test('the label of a preview says its version and its slug', () => {
  assert.deepEqual(previewLabel('preview-12-3-todo'), { version: 12, rest: '3-todo' })
  for (const label of [
    'preview-1',
    'preview-1-',
    'preview--todo',
    'preview-1e3-todo',
    'todo',
    'xpreview-1-todo',
  ])
    assert.equal(previewLabel(label), undefined, label)
})
