import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { failureOf } from '../storage/sqlite/protocol/failures.ts'
import { AccountsClient } from './accounts-client.ts'
import type { AccountCallMessage, AccountResultMessage } from './accounts-thread-protocol.ts'

const OPTIONS = { requester: { address: '192.0.2.7', userAgent: '' }, isChange: false }

/** A client whose ports are answered here, by what stands for the thread of accounts. */
function clientOf(
  answer: (message: AccountCallMessage, port: MessagePort) => AccountResultMessage | undefined,
) {
  let connections = 0
  const client = new AccountsClient((port) => {
    connections++
    port.on('message', (message: AccountCallMessage) => {
      const result = answer(message, port)
      if (result !== undefined) port.postMessage(result)
    })
  })
  return { client, connections: () => connections }
}

test('calls for accounts that are made at once get each its own result', async (t) => {
  const waiting: AccountCallMessage[] = []
  const { client, connections } = clientOf((message, port) => {
    waiting.push(message)
    if (waiting.length < 3) return undefined
    for (const [id, { input }] of waiting.toReversed())
      port.postMessage([id, (input as { slug: string }).slug])
    return undefined
  })
  t.after(() => client.close())
  const slugs = ['a', 'b', 'c']
  const made = slugs.map((slug) => client.call('createAccountApp', { slug }, OPTIONS))
  assert.deepEqual(await Promise.all(made), slugs)
  assert.equal(connections(), 1)
})

test('an error of the thread of accounts keeps its code, its message and how long to wait', async (t) => {
  const refusal = new AppError('too_many_failures', 'wait', { retryAfterSeconds: 7 })
  const { client } = clientOf(([id]) => [id, undefined, failureOf(refusal)])
  t.after(() => client.close())
  await assert.rejects(client.call('listAccounts', undefined, OPTIONS), {
    code: 'too_many_failures',
    message: 'wait',
    retryAfterSeconds: 7,
  })
})

test('whoever waits for a thread of accounts that ends is told so, and the next call gets another thread', async (t) => {
  let isFirst = true
  const { client, connections } = clientOf(([id], port) => {
    if (!isFirst) return [id, []]
    isFirst = false
    port.close()
    return undefined
  })
  t.after(() => client.close())
  await assert.rejects(client.call('listAccounts', undefined, OPTIONS), { code: 'outcome_unknown' })
  assert.deepEqual(await client.call('listAccounts', undefined, OPTIONS), [])
  assert.equal(connections(), 2)
})

test('the thread of accounts is started by whoever prepares for calls, once', async (t) => {
  const { client, connections } = clientOf(([id]) => [id, []])
  t.after(() => client.close())
  client.prepare()
  client.prepare()
  assert.equal(connections(), 1)
  assert.deepEqual(await client.call('listAccounts', undefined, OPTIONS), [])
  assert.equal(connections(), 1)
})
