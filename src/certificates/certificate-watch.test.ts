import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { CertificateWatch } from './certificate-watch.ts'

function watchOf(t: TestContext, reload: () => Promise<void>) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const state = { isDue: true, looks: 0 }
  const told: string[] = []
  const watch = new CertificateWatch({
    files: ['/nowhere'],
    reload,
    isDue: () => state.isDue,
    onCheck: () => {
      state.looks += 1
    },
    log: { info: (line) => told.push(line), warn: (line) => told.push(line) },
  })
  t.after(() => watch.close())
  return { watch, state, told }
}

describe('a look at a certificate that fails', () => {
  it('is said once for each reason, ends nothing, and the next one is made', async (t) => {
    const { watch, state, told } = watchOf(t, async () => {})
    const failing = { reason: 'one' }
    Object.defineProperty(state, 'isDue', {
      get: () => {
        if (failing.reason === '') return false
        throw new Error(failing.reason)
      },
    })
    await watch.check()
    await watch.check()
    failing.reason = 'another'
    await watch.check()
    assert.deepEqual(
      told,
      ['one', 'another'].map(
        (reason) => `the TLS certificate could not be looked at, the old one stays: ${reason}`,
      ),
    )
    failing.reason = ''
    await watch.check()
    assert.equal(state.looks, 1)
  })
})

describe('a certificate that is due', () => {
  it('is made anew once, at the next check, and nothing is said of files that were replaced', async (t) => {
    let reloads = 0
    const { watch, state, told } = watchOf(t, async () => {
      reloads += 1
      state.isDue = false
    })
    for (let n = 0; n < 5; n += 1) await watch.check()
    assert.deepEqual({ reloads, told, looks: state.looks }, { reloads: 1, told: [], looks: 5 })
  })

  it('and can not be made anew is tried again after ten minutes', async (t) => {
    let tries = 0
    const { watch, told } = watchOf(t, async () => {
      tries += 1
      throw new Error('the disk is full')
    })
    for (let n = 0; n < 300; n += 1) await watch.check()
    assert.equal(tries, 1)
    await watch.check()
    assert.equal(tries, 2)
    assert.equal(
      told[0],
      "the self-made TLS certificate can't be made anew, the old one stays: the disk is full",
    )
  })

  it('is made once where that takes longer than a look', async (t) => {
    const made = Promise.withResolvers<void>()
    let reloads = 0
    const { watch } = watchOf(t, () => {
      reloads += 1
      return made.promise
    })
    const first = watch.check()
    await watch.check()
    assert.equal(reloads, 1)
    made.resolve()
    await first
  })
})
