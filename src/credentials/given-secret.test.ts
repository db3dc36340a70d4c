import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSecret } from './given-secret.ts'

test('a secret of another form is refused, and not quoted', () => {
  for (const [secret, problem] of [
    ['', /this one has 0$/],
    ['a'.repeat(23), /this one has 23$/],
    ['a'.repeat(129), /this one has 129$/],
    [`${'a'.repeat(24)} b`, /character 25 of this one is another$/],
    [`é${'a'.repeat(24)}`, /character 1 of this one is another$/],
    [`${'a'.repeat(24)}\n`, /character 25/],
    [`token:${'a'.repeat(24)}`, /character 6/],
    [`${'a'.repeat(30)}\u0000`, /character 31/],
  ] as const)
    assert.throws(
      () => checkSecret(secret),
      ({ code, message }: Error & { code: string }) => {
        assert.equal(code, 'invalid_secret')
        assert.match(message, problem)
        return !message.includes('aaaa')
      },
    )
  for (const secret of ['a'.repeat(24), 'Z'.repeat(128), `_-${'0'.repeat(30)}`]) checkSecret(secret)
})
