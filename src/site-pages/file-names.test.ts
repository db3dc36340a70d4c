import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasHash, typeOf } from './file-names.ts'

test('a name with a date, a number or a word, or without a part before it, has no hash', () => {
  for (const path of [
    'app.js',
    'index.html',
    'report2024.pdf',
    '20240131.jpg',
    'a-20240131.jpg',
    'a.2024report.pdf',
    'jquery-migrate3.js',
    'd3charts.js',
    'lib/base64url.js',
    'jwt-base64url.js',
    'x.oauth2client.js',
    'vendor-web3modal.js',
    'vendor-Web3Modal.js',
    'auth-OAuth2Client.js',
    '_next/static/3f9a1c2b7d.js',
    '3f9a1c2b.png',
    'a/.3f9a1c2b.js',
    'photo-20240131T120000.jpg',
    'application.js',
    'app.3f9a1c2.js',
    'app.3f9a1c2b',
    'app.3f9a1c2b/x.js',
    'app.3f9a1c2b.html',
    'app.3f9a1c2b.min.js',
    'app.3f9a+c2b.js',
    '3f9a1c2b',
    '',
  ])
    assert.ok(!hasHash(path), path)
})

test('a name with a hash before what ends it has one', () => {
  for (const path of [
    'app.3f9a1c2b.js',
    'app-3f9a1c2b.js',
    'assets/index-CxY12abc.css',
    'chunk-ABCDE2FG.js',
    'a/b/main_0123456789abcdef0123.woff2',
    'main-5HY3JVRP.js',
    'index-a1b2xyz9.js',
    'index-BQ3kzx1a.js',
  ])
    assert.ok(hasHash(path), path)
})

test('the type of a file is that of its name, of a text with its charset', () => {
  for (const [path, type] of [
    ['index.html', 'text/html; charset=utf-8'],
    ['a/app.js', 'text/javascript; charset=utf-8'],
    ['app.mjs', 'text/javascript; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.json', 'application/json; charset=utf-8'],
    ['a.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['feed.xml', 'application/xml; charset=utf-8'],
    ['a.svg', 'image/svg+xml; charset=utf-8'],
    ['a.PNG', 'image/png'],
    ['a.wasm', 'application/wasm'],
    ['a.woff2', 'font/woff2'],
    ['LICENSE', 'application/octet-stream'],
    ['a.unknown', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ] as const)
    assert.equal(typeOf(path), type, path)
})
