import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foldedPath, isLeftOut, pathProblem } from './site-paths.ts'

describe('the path of a file of a site', () => {
  const refused: readonly [path: string, word: RegExp][] = [
    ['', /empty/],
    ['/etc/passwd', /absolute/],
    ['C:/a.html', /absolute/],
    ['c:a.html', /absolute/],
    ['../a.html', /\.\./],
    ['a/../b.html', /\.\./],
    ['a/./b.html', /\. or/],
    ['a/..', /\.\./],
    ['a//b.html', /empty part/],
    ['a/', /empty part/],
    ['a\\b.html', /backslash/],
    ['..\\b.html', /backslash/],
    ['a\u0000.html', /control/],
    ['a\n.html', /control/],
    ['a\u007f.html', /control/],
    ['a\u0085.html', /control/],
    ['a\u202egnp.html', /direction/],
    ['a\u2066.html', /direction/],
    ['a\ud800.html', /surrogate/],
    ['a'.repeat(256), /255/],
    [`${'é'.repeat(128)}.html`, /255/],
    [`${'a/'.repeat(512)}b`, /1024/],
    ['_sheaf/config.json', /_sheaf/],
    ['_Sheaf/config.json', /_sheaf/],
    ['_sheaf', /_sheaf/],
  ]

  for (const [path, word] of refused)
    it(`is refused as ${JSON.stringify(path.slice(0, 40))}`, () => {
      assert.match(pathProblem(path) ?? 'fine', word)
    })

  it('may be long, in any script, and what some system has no room for', () => {
    const fine = [
      'index.html',
      'a'.repeat(255),
      `${'a'.repeat(255)}/${'b'.repeat(255)}`,
      'CON',
      'aux.txt',
      'ab:c.html',
      'naïve/日本語.html',
      'a b?c#d%2f.html',
      '%2e%2e/a',
      'x/_sheaf/a.html',
      '...',
      '.well-known/acme-challenge/x',
    ]
    assert.deepEqual(
      fine.filter((path) => pathProblem(path) !== undefined),
      [],
    )
  })

  it('stays out where it is hidden, or what a system put there', () => {
    const out = [
      '.git/config',
      '.env',
      '.env.local',
      'a/.htpasswd',
      '.DS_Store',
      'a/.DS_Store',
      '__MACOSX/a',
      'a/Thumbs.db',
      '.well-known/.git/x',
      '...',
    ]
    assert.deepEqual(
      out.filter((path) => !isLeftOut(path)),
      [],
    )
    assert.deepEqual(['.well-known/x', 'a.git/b', 'env', 'macosx/a'].filter(isLeftOut), [])
  })

  it('is the same as another one in another case or Unicode form', () => {
    assert.equal(foldedPath('A/É.HTML'), foldedPath('a/e\u0301.html'))
    assert.notEqual(foldedPath('a'), foldedPath('b'))
  })
})
