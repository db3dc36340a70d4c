import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../test/free-port.ts'
import { ChallengeResponder } from './challenge-responder.ts'

async function open(t: TestContext): Promise<{ responder: ChallengeResponder; port: number }> {
  const responder = new ChallengeResponder()
  const port = await freePort()
  await responder.listen(port)
  t.after(() => responder.close())
  responder.expect('abc-_1', 'abc-_1.thumbprint')
  return { responder, port }
}

async function ask(port: number, path: string, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port, path, method })
  asked.end()
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, location: response.headers.location, text }
}

test('whatever is no challenge is refused, and never redirected', async (t) => {
  const { port } = await open(t)
  const refusal = { status: 400, location: undefined, text: 'only HTTPS is served here\n' }
  for (const path of [
    '/',
    '/demo/films',
    '/.well-known/',
    '/.well-known/acme-challengeabc-_1',
    '/x/../abc-_1',
  ])
    assert.deepEqual(await ask(port, path), refusal, path)
  const missing = { status: 404, location: undefined, text: 'no such challenge\n' }
  for (const token of ['', 'abc', 'abc-_1/', 'abc-_1?', '%61bc-_1', '__proto__', '../abc-_1'])
    assert.deepEqual(await ask(port, `/.well-known/acme-challenge/${token}`), missing, token)
  assert.equal((await ask(port, '/.well-known/acme-challenge/abc-_1', 'POST')).status, 404)
})

test('the token of an order is answered with its key authorization', async (t) => {
  const { port } = await open(t)
  assert.deepEqual(await ask(port, '/.well-known/acme-challenge/abc-_1'), {
    status: 200,
    location: undefined,
    text: 'abc-_1.thumbprint',
  })
  assert.equal((await ask(port, '/.well-known/acme-challenge/abc-_1', 'HEAD')).text, '')
})

test('what is no HTTP is hung up on, and closing waits for nobody', async (t) => {
  const { responder, port } = await open(t)
  const rude = connect(port, '127.0.0.1').on('error', () => {})
  rude.write('\u0016\u0003\u0001 TLS\r\n\r\n')
  await once(rude, 'close')
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  const ended = once(silent, 'close')
  await responder.close()
  await ended
})
