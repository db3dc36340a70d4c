import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAuditEntry } from './describe-audit-entry.ts'

const LINE = {
  id: '1',
  at: 0,
  actor: 'cli:ada',
  action: 'key.create',
  subject: 'x',
  account: null,
  app: null,
  appSlug: null,
  address: null,
}

test('a line of the audit trail with damaged details is told without them', () => {
  for (const details of ['', '{', 'null', '{"until":1e300}', '{"until":"x"}', '{"expiresAt":{}}']) {
    const told = describeAuditEntry({ ...LINE, details })
    assert.deepEqual(told, { ...LINE, at: '1970-01-01T00:00:00.000Z', details: { damaged: true } }, details)
  }
  assert.deepEqual(describeAuditEntry({ ...LINE, details: '{"until":0}' }).details, {
    until: '1970-01-01T00:00:00.000Z',
  })
})
