import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SecureContext } from 'node:tls'
import { selfMadeCertificate } from '../../../test/self-made-certificate.ts'
import { NamedContexts, namedContext } from './named-contexts.ts'
import type { TlsIdentity } from './tls-identity.ts'

const MINUTE_MS = 60_000
const pair = await selfMadeCertificate()

/** Contexts of hosts under `site.`, with what was asked for and what failed. */
function contexts(find: (host: string) => Promise<TlsIdentity | undefined> = async () => pair) {
  const clock = { now: 0 }
  const [asked, failed]: [string[], string[]] = [[], []]
  const names = new NamedContexts(
    {
      isKnown: (host) => host.endsWith('.site'),
      find: (host) => {
        asked.push(host)
        return find(host)
      },
      onFailure: (host, error) => failed.push(`${host}: ${(error as Error).message}`),
    },
    () => clock.now,
  )
  const contextFor = (name: string) =>
    new Promise<SecureContext | undefined>((resolve, reject) =>
      names.SNICallback(name, (error, context) => (error === null ? resolve(context) : reject(error))),
    )
  return { names, clock, asked, failed, contextFor }
}

describe('a name that a client asks for', () => {
  it('gets the certificate for all names, and nobody is asked, where it is no known host', async () => {
    const { contextFor, asked } = contexts()
    for (const name of ['', 'x.example', 'site', '__proto__', 'localhost'])
      assert.equal(await contextFor(name), undefined)
    assert.deepEqual(asked, [])
  })

  it('gets the certificate for all names where its own can not be found or used, and it is tried again', async () => {
    const broken = [{ key: 'no', cert: 'no' }]
    const { contextFor, asked, failed } = contexts(async () => {
      if (broken.length === 0) throw new Error('the disk is full')
      return broken.pop()
    })
    assert.deepEqual([await contextFor('a.site'), await contextFor('a.site')], [undefined, undefined])
    assert.deepEqual(asked, ['a.site', 'a.site'])
    assert.equal(failed[1], 'a.site: the disk is full')
  })

  it('gets its own, whatever its case, asked for once', async () => {
    const { contextFor, asked } = contexts()
    const [first, second] = await Promise.all([contextFor('a.site'), contextFor('A.Site')])
    assert.ok(first)
    assert.equal(first, second)
    assert.equal(await contextFor('a.site'), first)
    assert.notEqual(await contextFor('b.site'), first)
    assert.deepEqual(asked, ['a.site', 'b.site'])
  })

  it('is asked for anew after an hour, and when that is said', async () => {
    const { names, contextFor, clock, asked } = contexts()
    await contextFor('a.site')
    clock.now += 59 * MINUTE_MS
    await contextFor('a.site')
    assert.equal(asked.length, 1)
    clock.now += MINUTE_MS
    await contextFor('a.site')
    assert.equal(asked.length, 2)
    names.renew(undefined)
    await contextFor('a.site')
    assert.equal(asked.length, 3)
  })

  it('is remembered for the 500 that were asked for last', async () => {
    const { contextFor, asked } = contexts(async () => undefined)
    for (let n = 0; n < 500; n += 1) await contextFor(`${n}.site`)
    await contextFor('0.site')
    await contextFor('500.site')
    asked.length = 0
    for (const name of ['0.site', '500.site', '1.site']) await contextFor(name)
    assert.deepEqual(asked, ['1.site'])
  })
})

describe('whether a name is served with a self-made certificate', () => {
  it('is known of localhost and of known hosts alone', async () => {
    const { names, contextFor } = contexts()
    assert.equal(names.isSelfMade('localhost'), undefined)
    names.renew(namedContext(pair))
    assert.equal(names.isSelfMade('LOCALHOST'), true)
    assert.equal(names.isSelfMade('x.example'), undefined)
    assert.equal(names.isSelfMade('a.site'), true, 'a session that was resumed')
    await contextFor('a.site')
    assert.equal(names.isSelfMade('A.site'), true)
  })

  it('is for the certificate for all names to say where a host has that', async () => {
    const { names, contextFor } = contexts(async () => undefined)
    await contextFor('a.site')
    assert.equal(names.isSelfMade('a.site'), undefined)
  })
})
