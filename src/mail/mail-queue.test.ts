import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mail } from '../domain/mail.ts'
import { AppError } from '../errors.ts'
import { createMailLimit } from './mail-limits.ts'
import { MailQueue } from './mail-queue.ts'

const MAIL: Mail = { to: 'ada@example.org', subject: '', text: '' }

/** What is told of failures, and when. */
function failures() {
  const told: string[] = []
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const onFailure = (error: unknown): void => {
    told.push(String((error as Error).message))
    resolve()
  }
  return { told, first, onFailure }
}

function job(mail: Mail | undefined = MAIL) {
  return { about: 'a link', compose: async () => mail }
}

describe('the queue of mail', () => {
  it('tries three times more, makes the message once, and then gives it up in words', async () => {
    let sent = 0
    let composed = 0
    const { told, first, onFailure } = failures()
    const send = async (): Promise<void> => {
      sent++
      throw new AppError('mail_failed', 'the mail server is away')
    }
    const queue = new MailQueue({ send, onFailure, pausesMs: [1, 1, 1] })
    const compose = async (): Promise<Mail> => {
      composed++
      return MAIL
    }
    queue.later({ about: 'a link', compose })
    await first
    assert.deepEqual([sent, composed], [4, 1])
    assert.deepEqual(told, ['the mail about a link was not sent: the mail server is away'])
  })

  it('gives up at once what is refused, or what nobody expected, and goes on with the next', async () => {
    const { told, onFailure } = failures()
    const { promise, resolve } = Promise.withResolvers<Mail>()
    const send = async (mail: Mail): Promise<void> => {
      if (mail.subject === 'refused') throw new AppError('mail_refused', 'no')
      resolve(mail)
    }
    const queue = new MailQueue({ send, onFailure })
    queue.later(job({ ...MAIL, subject: 'refused' }))
    const broken = async (): Promise<Mail> => {
      throw new Error('the store is away')
    }
    queue.later({ about: 'a link', compose: broken })
    queue.later(job(undefined))
    queue.later(job())
    await promise
    assert.deepEqual(told.sort(), ['the mail about a link was not sent: no', 'the store is away'])
  })

  it('has 1,000 messages at a time, four of them being sent, and tells once of those that it drops', async () => {
    const { told, onFailure } = failures()
    const gate = Promise.withResolvers<void>()
    let begun = 0
    let sent = 0
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const send = async (): Promise<void> => {
      begun++
      await gate.promise
      if (++sent === 1000) resolve()
    }
    const queue = new MailQueue({ send, onFailure })
    for (let each = 0; each < 1003; each++) queue.later(job())
    await new Promise(setImmediate)
    assert.equal(begun, 4)
    gate.resolve()
    await all
    await queue.close()
    assert.deepEqual(told, ['mail is dropped: 1000 messages wait to be sent'])
    queue.later(job())
    assert.equal(begun, 1000)
  })

  it('ends without those that wait for another attempt', async () => {
    const { told, onFailure } = failures()
    const { promise: tried, resolve } = Promise.withResolvers<void>()
    const send = async (): Promise<void> => {
      resolve()
      throw new AppError('mail_failed', 'away')
    }
    const queue = new MailQueue({ send, onFailure, pausesMs: [2 ** 30] })
    queue.later(job())
    await tried
    await new Promise(setImmediate)
    await queue.close()
    assert.deepEqual(told.length, 0)
  })
})

describe('the limit of mail', () => {
  it('lets through so many a day to each account, with a pause between', () => {
    let now = 0
    const limit = createMailLimit(() => now, { perDay: 3, pauseMs: 10 })
    const minutes = [0, 5, 10, 19, 20, 30, 1000]
    const through = minutes.filter((at) => {
      now = at
      return limit('ada')
    })
    assert.deepEqual(through, [0, 10, 20])
    assert.equal(limit('bob'), true)
    now = 24 * 60 * 60 * 1000
    assert.equal(limit('ada'), true)
    now += 5
    assert.equal(limit('ada'), false)
  })

  it('counts 10,000 accounts, and forgets none before its time', () => {
    let now = 0
    const limit = createMailLimit(() => now, { perDay: 1, pauseMs: 0 })
    for (let each = 0; each < 10_000; each++) assert.equal(limit(`a${each}`), true)
    assert.equal(limit('one more'), false)
    assert.equal(limit('a1'), false)
    now = 24 * 60 * 60 * 1000
    assert.equal(limit('one more'), true)
  })
})
