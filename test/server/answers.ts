import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

/** Checks that an answer is an error as the reference describes it: status, code, message, content type. */
export function assertRefused(
  answer: Answer,
  code: string | readonly string[],
  about: string,
  status = 400,
): void {
  const shown = `${about.slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 300)}`
  assert.equal(answer.status, status, shown)
  assert.equal(answer.headers['content-type'], 'application/json', shown)
  const error = JSON.parse(answer.text) as Record<string, unknown>
  assert.deepEqual(Object.keys(error), ['code', 'message'], shown)
  assert.ok([code].flat().includes(error.code as string), `${shown} should be ${code}`)
  assert.ok(typeof error.message === 'string' && error.message.length < 1000, shown)
}

/** A value of a URL's parameter. */
export function encoded(json: unknown): string {
  return encodeURIComponent(typeof json === 'string' ? json : JSON.stringify(json))
}
