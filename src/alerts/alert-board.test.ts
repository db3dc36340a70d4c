import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert } from '../domain/alerts.ts'
import { AlertBoard } from './alert-board.ts'

const OLD: Alert = {
  ...{ id: 'old', kind: 'backup', subject: '/backups', message: 'the last backup failed' },
  ...{ raisedAt: 1, endedAt: null },
}

function boardWith(firing: readonly Alert[] = []) {
  const noted: Alert[] = []
  const logged: string[] = []
  const clock = { now: 100 }
  let lastId = 0
  const board = new AlertBoard({
    firing,
    note: (alerts) => noted.push(...alerts),
    log: {
      warn: (line) => logged.push(`warn ${line}`),
      info: (line) => logged.push(`info ${line}`),
    },
    newId: () => String(++lastId),
    now: () => clock.now,
  })
  return { board, clock, noted, logged }
}

describe('what is wrong with the server', () => {
  it('is raised once however often it is found, and ends once', () => {
    const { board, clock, noted, logged } = boardWith()
    const slow = { subject: 'requests', message: '7 failed' }
    board.observe('error-rate', [slow])
    clock.now = 200
    board.observe('error-rate', [{ ...slow, message: '8 failed' }])
    board.observe('wal', [])
    assert.equal(board.isFiring('error-rate', 'requests'), true)
    assert.equal(board.counts().get('error-rate'), 1)
    board.observe('error-rate', [])
    board.observe('error-rate', [])
    const raised = { ...slow, id: '1', kind: 'error-rate', raisedAt: 100, endedAt: null }
    assert.deepEqual(noted, [raised, { ...raised, endedAt: 200 }])
    assert.deepEqual(logged, ['warn 7 failed', 'info this has ended: 7 failed'])
    assert.deepEqual([...board.counts().values()], [0, 0, 0, 0, 0, 0])
  })

  it('is not raised anew by a start, and ends then where it is over', () => {
    const { board, noted, logged } = boardWith([OLD])
    board.observe('backup', [{ subject: '/backups', message: 'another one failed' }])
    assert.deepEqual(noted, [])
    board.observe('backup', [])
    assert.deepEqual(noted, [{ ...OLD, endedAt: 100 }])
    assert.deepEqual(logged, [], 'the log has what becomes of backups already')
  })

  it('is told in one line of bounded length, and of each kind no more than twenty times', () => {
    const { board, noted, logged } = boardWith()
    const hostile = `the app a\r\nHTTP/1.1 200 OK ${'é'.repeat(600)}`
    board.observe('wal', [{ subject: hostile, message: hostile }])
    board.observe('wal', [{ subject: hostile, message: hostile }])
    assert.equal(noted.length, 1)
    assert.equal(noted[0]!.message, `the app a HTTP/1.1 200 OK ${'é'.repeat(474)}`)
    assert.deepEqual(logged, [`warn ${noted[0]!.message}`])
    const many = Array.from({ length: 30 }, (_, number) => ({
      subject: `the app ${number}`,
      message: 'long',
    }))
    board.observe('wal', many)
    assert.equal(board.counts().get('wal'), 20)
    const before = noted.length
    board.observe('wal', many.toReversed())
    assert.equal(noted.length, before, 'in another order they are the same')
  })
})
