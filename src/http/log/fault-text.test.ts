import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFaultText } from './fault-text.ts'

function house() {
  const clock = { now: 1_000 }
  return { clock, textOf: createFaultText(() => clock.now) }
}

function full(id = ''): Error {
  return new Error(`the store can't be used${id}`, { cause: new TypeError('the disk is full') })
}

test('a kind of fault has its stack and its cause once a minute, and one line between', () => {
  const { clock, textOf } = house()
  for (let minute = 0; minute < 3; minute += 1) {
    assert.match(
      textOf(full()),
      /^Error: the store can't be used\n {4}at .*\n {2}caused by TypeError: the disk is full\n {4}at /s,
    )
    for (let n = 0; n < 1000; n += 1)
      assert.equal(textOf(full()), "Error: the store can't be used; caused by TypeError: the disk is full")
    clock.now += 59_999
    assert.doesNotMatch(textOf(full()), /\n/)
    clock.now += 1
  }
})

test('other messages and other causes are other kinds', () => {
  const { textOf } = house()
  textOf(full())
  assert.match(textOf(full(' today')), /\n/)
  assert.match(textOf(new Error("the store can't be used")), /\n/)
  assert.match(textOf(new Error("the store can't be used", { cause: new TypeError('I/O') })), /\n/)
})

test('beyond a hundred kinds in a minute faults have one line each', () => {
  const { clock, textOf } = house()
  for (let n = 0; n < 100; n += 1) assert.match(textOf(full(` ${n}`)), /\n/)
  assert.equal(
    textOf(full(' 100')),
    "Error: the store can't be used 100; caused by TypeError: the disk is full",
  )
  clock.now += 60_000
  assert.match(textOf(full(' 101')), /\n/)
})

test('what is thrown and is no error is shown as text', () => {
  const { textOf } = house()
  assert.equal(textOf('one\ntwo'), 'one\ntwo')
  assert.equal(textOf('one\ntwo'), 'one')
  assert.equal(textOf(undefined), 'undefined')
})
