import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createProveDomain, type DomainProofParts } from './prove-domain.ts'

const DOMAIN = 'shop.example.org'
const VALUE = 'sheaf-site=abc'
const NO_RECORD = `_sheaf.${DOMAIN} has no TXT record`
const FILE = `http://${DOMAIN}/.well-known/sheaf-site`

/** A resolver that knows of one name, and of its record. */
function resolverOf(answers: {
  txt?: string[][]
  ipv4?: string[]
  ipv6?: string[]
}): DomainProofParts['resolver'] {
  const answer = async <Kind>(found: Kind | undefined): Promise<Kind> => {
    if (found === undefined) throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    return found
  }
  return {
    resolveTxt: (name) => answer(name === `_sheaf.${DOMAIN}` ? answers.txt : undefined),
    resolve4: ((name: string) =>
      answer(name === DOMAIN ? answers.ipv4 : undefined)) as DomainProofParts['resolver']['resolve4'],
    resolve6: ((name: string) =>
      answer(name === DOMAIN ? answers.ipv6 : undefined)) as DomainProofParts['resolver']['resolve6'],
  }
}

/** Looks at a web server of this machine as if it were public. */
async function served(t: TestContext, listener: RequestListener, txt?: string[][]) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const resolver = resolverOf({ ...(txt && { txt }), ipv4: ['127.0.0.1'] })
  return createProveDomain({ resolver, isAllowed: () => true, port })
}

describe('a domain is not verified', () => {
  it('where nothing is there, or something else', async () => {
    const none = createProveDomain({ resolver: resolverOf({}) })
    assert.deepEqual(await none(DOMAIN, 'abc'), {
      problem: `${NO_RECORD}, and ${DOMAIN} has no public address`,
    })
    for (const txt of [
      [['sheaf-site=abcd']],
      [['sheaf-site=ab']],
      [['SHEAF-SITE=ABC']],
      [['x', VALUE]],
      [[]],
    ]) {
      const other = createProveDomain({ resolver: resolverOf({ txt }) })
      const problem = `no TXT record of _sheaf.${DOMAIN} has the value ${VALUE}, and ${DOMAIN} has no public address`
      assert.deepEqual(await other(DOMAIN, 'abc'), { problem })
    }
  })

  it('by a file at an address that is not public, which is not asked', async () => {
    for (const ipv4 of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1'])
      assert.deepEqual(
        await createProveDomain({ resolver: resolverOf({ ipv4: [ipv4], ipv6: ['::1', 'fd00::1'] }) })(
          DOMAIN,
          'abc',
        ),
        { problem: `${NO_RECORD}, and ${DOMAIN} has no public address` },
      )
  })

  it('by a file that is elsewhere, other, too long or never ends', async (t) => {
    const cases: [listener: RequestListener, problem: string][] = [
      [
        (_, response) => response.writeHead(302, { Location: FILE }).end(VALUE),
        'answers with the status 302',
      ],
      [(_, response) => response.writeHead(404).end(VALUE), 'answers with the status 404'],
      [(_, response) => response.end(`${VALUE}d`), `does not have the text ${VALUE}`],
      [(_, response) => response.end(`<p>${VALUE}</p>`), `does not have the text ${VALUE}`],
      [(_, response) => void response.write(' '.repeat(4097)), 'is longer than 4096 bytes'],
      [(request) => request.socket.destroy(), "can't be reached"],
      [(request) => request.socket.end('no HTTP\r\n\r\n'), "can't be reached"],
    ]
    for (const [listener, problem] of cases)
      assert.deepEqual(await (await served(t, listener))(DOMAIN, 'abc'), {
        problem: `${NO_RECORD}, and ${FILE} ${problem}`,
      })
  })

  it('where many are looked at already', async () => {
    const resolver = { ...resolverOf({}), resolveTxt: () => new Promise<string[][]>(() => {}) }
    const prove = createProveDomain({ resolver })
    for (let n = 0; n < 8; n += 1) void prove(DOMAIN, 'abc')
    await assert.rejects(prove(DOMAIN, 'abc'), { code: 'overloaded' })
  })
})

describe('a domain is verified', () => {
  it('by a record among others, in pieces too', async () => {
    const txt = [['v=spf1 -all'], ['sheaf-', 'site=abc']]
    assert.deepEqual(await createProveDomain({ resolver: resolverOf({ txt }) })(DOMAIN, 'abc'), {
      found: 'record',
    })
  })

  it('by a file, asked for by the name', async (t) => {
    const asked: (string | undefined)[] = []
    const prove = await served(t, ({ url, headers }, response) => {
      asked.push(headers.host, url)
      response.end(`${VALUE}\n`)
    })
    assert.deepEqual(await prove(DOMAIN, 'abc'), { found: 'file' })
    assert.deepEqual(asked, [DOMAIN, '/.well-known/sheaf-site'])
  })
})
