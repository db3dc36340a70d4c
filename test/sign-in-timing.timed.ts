import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signIn } from '../src/operations/sign-in.ts'
import { FROM, openAccountContext, PASSWORD, type TestAccountContext } from './account-context.ts'

const TRIES = 50
const MEDIANS_WITHIN_MS = 20

describe('a sign-in that fails', () => {
  let test: TestAccountContext

  before(async () => {
    test = await openAccountContext()
    await test.addAccount('operator', { isOperator: true })
    await test.addAccount('ada')
    const grace = await test.addAccount('grace')
    // Somebody has signed in to both from where the tries come from.
    for (const email of ['ada@example.org', grace.email]) await test.enter(email)
    await test.context.accounts.deleteAccount({ id: grace.id, apps: 'delete' }, 'test')
  })
  after(() => test.close())

  /** Milliseconds that one try took, and what it heard. */
  async function tried(email: string, password: string): Promise<{ took: number; heard: string }> {
    const context = test.contextWith()
    const begun = performance.now()
    const heard = await signIn(context, { ...FROM, email, password }).then(
      () => 'a session',
      ({ code, message }) => `${code}: ${message}`,
    )
    return { took: performance.now() - begun, heard }
  }

  it('takes as long and hears the same for a wrong password, an unknown account and one that was deleted', async (t) => {
    const cases = [
      { name: 'wrong', email: 'ada@example.org', password: 'not the password' },
      { name: 'unknown', email: 'nobody@example.org', password: PASSWORD },
      { name: 'deleted', email: 'grace@example.org', password: PASSWORD },
    ]
    const times = new Map(cases.map(({ name }) => [name, [] as number[]]))
    const words = new Set<string>()
    // Each is first, second and third by turns: memory that the one before left behind is collected in the next.
    for (let i = 0; i < TRIES * cases.length; i++) {
      const { name, email, password } = cases[(i + Math.floor(i / cases.length)) % cases.length]!
      const { took, heard } = await tried(email, password)
      times.get(name)!.push(took)
      words.add(heard)
    }
    const medians = [...times].map(([name, took]) => ({ name, ms: took.sort((a, b) => a - b)[TRIES / 2]! }))
    t.diagnostic(medians.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', '))
    assert.equal(words.size, 1)
    const all = medians.map(({ ms }) => ms)
    assert.ok(Math.max(...all) - Math.min(...all) <= MEDIANS_WITHIN_MS, JSON.stringify(medians))
  })
})
