import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError, ERROR_CODES } from '../../errors.ts'
import { errorReply, isFault, isForTheLog, STATUS_OF_CODE } from './error-reply.ts'

describe('the answer to an error', () => {
  it('has a status for every code, and only statuses that the decisions name', () => {
    assert.deepEqual(Object.keys(STATUS_OF_CODE).sort(), [...ERROR_CODES].sort())
    // 409, 415 and 502 are of the dashboard's interface alone.
    const known = new Set([400, 401, 403, 404, 405, 409, 412, 413, 415, 429, 500, 502, 503])
    assert.deepEqual(
      ERROR_CODES.filter((code) => !known.has(STATUS_OF_CODE[code])),
      [],
    )
  })

  it('hides what was not meant for the client, and calls it a fault', () => {
    for (const error of [
      new Error('SQLITE_CORRUPT in /srv/data'),
      new AppError('internal', '/srv/data'),
      new AppError('data_folder_unusable', '/srv/data'),
      'text',
      undefined,
    ]) {
      assert.equal(isFault(error), true)
      const { status, body } = errorReply(error)
      assert.equal(status, 500)
      assert.equal(JSON.parse(body).code, 'internal')
      assert.doesNotMatch(body, /srv|SQLITE/)
    }
  })

  it('is 503 where the system has no room, which may pass, and the reason is for the log', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS']) {
      const refused = Object.assign(new Error(`${code}: open '/srv/data'`), { code })
      for (const error of [refused, new AppError('internal', '/srv/data', { cause: refused })]) {
        assert.equal(isForTheLog(error), true)
        const { status, headers, body } = errorReply(error)
        assert.deepEqual([status, headers], [503, ['Retry-After', '5']])
        assert.equal(JSON.parse(body).code, 'store_unavailable')
        assert.doesNotMatch(body, /srv/)
      }
    }
  })

  it('is 503 where there is no descriptor left for a thread', () => {
    const refused = Object.assign(new Error('Worker initialization failure: EMFILE'), {
      code: 'ERR_WORKER_INIT_FAILED',
    })
    assert.equal(errorReply(new AppError('internal', 'x', { cause: refused })).status, 503)
    refused.message = 'Worker initialization failure: ERANGE'
    assert.equal(errorReply(new AppError('internal', 'x', { cause: refused })).status, 500)
  })

  it('quotes no key and no token, wherever in a request they stood', () => {
    const key = `shf_${'0123456789'.repeat(4)}`
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJraWQiOiJ4In0.${'s'.repeat(43)}`
    for (const secret of [key, token, key.slice(0, 30), token.slice(0, 30)]) {
      const error = new AppError('unknown_operator', `unknown operator $${secret}; did you mean $gt?`)
      const { message } = JSON.parse(errorReply(error).body)
      assert.equal(message, 'unknown operator $[redacted]; did you mean $gt?')
    }
  })

  it('carries code and message', () => {
    const { status, body } = errorReply(new AppError('app_not_found', 'there is no such app'))
    assert.equal(status, 404)
    assert.deepEqual(JSON.parse(body), { code: 'app_not_found', message: 'there is no such app' })
  })

  it('says how to send JSON where a body is none', () => {
    assert.match(errorReply(new AppError('invalid_json', 'x')).body, /Content-Type: application\/json/)
  })

  it('says nothing of it where a line of a file is meant', () => {
    const { body } = errorReply(new AppError('invalid_json', 'line 7: a key should stand here'))
    assert.deepEqual(JSON.parse(body), { code: 'invalid_json', message: 'line 7: a key should stand here' })
  })

  it('says when to come again with 429, as the error knows it', () => {
    const limited = new AppError('rate_limited', 'x', { retryAfterSeconds: 7 })
    assert.deepEqual(errorReply(limited).headers, ['Retry-After', '7'])
    for (const code of ERROR_CODES.filter((each) => STATUS_OF_CODE[each] === 429))
      assert.deepEqual(errorReply(new AppError(code, 'x')).headers, ['Retry-After', '1'], code)
  })

  it('forbids what a rule refuses, with the code of the rule', () => {
    const rules = ['app', 'collection', 'address', 'website'].map((rule) => `${rule}_not_allowed`)
    const codes = ERROR_CODES.filter((code) => STATUS_OF_CODE[code] === 403)
    const ofAccounts = ['origin_not_allowed', 'password_required', 'wrong_password']
    const ofProviders = ['identity_unknown', 'provider_refused']
    const others = ['permission_denied', 'quota_exceeded']
    assert.deepEqual([...codes].sort(), [...rules, ...ofAccounts, ...ofProviders, ...others].sort())
  })

  it('tells the operator of a disk that fails, and not of a server that stops', () => {
    const cause = new Error('disk I/O error')
    for (const code of ['store_unavailable', 'outcome_unknown'] as const) {
      assert.equal(isForTheLog(new AppError(code, 'x', { cause })), true)
      assert.equal(isForTheLog(new AppError(code, 'x')), false)
    }
  })

  it('challenges with 401, and says when to come again with 503', () => {
    const missing = errorReply(new AppError('missing_credentials', 'x'))
    assert.deepEqual(missing.headers, ['WWW-Authenticate', 'Bearer realm="sheaf"'])
    assert.deepEqual(errorReply(new AppError('code_required', 'x')).headers, missing.headers)
    const invalid = errorReply(new AppError('invalid_credentials', 'x'))
    assert.deepEqual(invalid.headers, ['WWW-Authenticate', 'Bearer realm="sheaf", error="invalid_token"'])
    // But for what may be done already, which clients would repeat.
    for (const code of ERROR_CODES.filter((each) => STATUS_OF_CODE[each] === 503)) {
      const header = code === 'outcome_unknown' ? undefined : 'Retry-After'
      assert.equal(errorReply(new AppError(code, 'x')).headers?.[0], header, code)
    }
  })
})
