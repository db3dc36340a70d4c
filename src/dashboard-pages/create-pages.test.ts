import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createPages } from './create-pages.ts'

const GET = { method: 'GET', headers: {} } as IncomingMessage

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-pages-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('where nothing was built a page says how to, and a file is not found', async (t) => {
  const serve = createPages(pathToFileURL(`${emptyFolder(t)}/dist/`))
  const { status, body, file } = await serve(GET, '/_/')
  assert.equal(status, 503)
  assert.match(String(body), /npm run build/)
  assert.doesNotMatch(String(body), /<script|<style|style=/)
  assert.deepEqual([file?.type, file?.caching], ['text/html; charset=utf-8', 'no-store'])
  await assert.rejects(serve(GET, '/_/assets/index.js'), { code: 'unknown_path' })
})

test('what is built while the server runs is served from then on, and kept', async (t) => {
  const folder = emptyFolder(t)
  const serve = createPages(pathToFileURL(`${folder}/`))
  assert.equal((await serve(GET, '/_/')).status, 503)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>é')
  writeFileSync(join(folder, 'assets/x-1.js'), 'x')
  assert.equal(String((await serve(GET, '/_/')).body), '<!doctype html><p>é')
  rmSync(join(folder, 'index.html'))
  assert.equal((await serve(GET, '/_/')).status, 200)
  assert.equal((await serve(GET, '/_/assets/x-1.js')).file?.coding, undefined)
})
