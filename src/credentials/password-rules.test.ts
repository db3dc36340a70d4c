import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblem } from './password-rules.ts'

function problem(password: string, email = 'ada.lovelace@example.org'): string | undefined {
  return passwordProblem(password, { email })
}

test('a password of 1 MB or of more than 1,024 bytes is refused with a word on how long one may be', () => {
  for (const text of [
    'x'.repeat(1_000_000),
    'x1'.repeat(513),
    `${'é'.repeat(512)}x`,
    '\ud800'.repeat(1_000_000),
  ])
    assert.equal(problem(text), 'the password is too long; use at most 1024 bytes of UTF-8')
})

test('half a character is refused', () => {
  assert.match(problem('correct \ud83d horse battery')!, /half of a character/)
})

test('fewer than 12 characters are refused, counted as one sees them where Unicode has one for it', () => {
  assert.match(problem('')!, /it has 0 characters of at least 12/)
  assert.match(problem('kV3/w9+xQz?')!, /it has 11 characters/)
  assert.match(problem('😀🚲🌧🥖🎻🧊🪁🗝🦊🛶🕯')!, /it has 11 characters/)
  // Composed, these are 11.
  assert.match(problem('kV3/w9+xQze\u0301')!, /it has 11 characters/)
})

test('common passwords are refused in any letter case, and with a little around them', () => {
  for (const text of [
    '1qaz2wsx3edc',
    '1QAZ2wsx3edc',
    'Unbelievable',
    'Unbelievable1!',
    'Football2026!',
    '12password12',
    'Liverpool!!!',
    'iloveyou12345',
  ])
    assert.match(problem(text)!, /tried first/, text)
})

test('the e-mail address is refused, and so is what stands before @', () => {
  for (const text of [
    'ada.lovelace@example.org',
    'ADA.Lovelace@example.org1',
    'ada.lovelace',
    'Ada.Lovelace1815',
  ])
    assert.match(problem(text)!, /e-mail address/, text)
})

test('rows and repetitions are refused', () => {
  for (const text of [
    'aaaaaaaaaaaa',
    '            ',
    'zzzzzzzzzzzzz',
    'abcdefghijkl',
    '678901234567',
    'lkjihgfedcba',
    'aaaaaabbbbbb',
    'abcdef123456',
    'aaaabbbbcccc',
    'abababababab',
    'qwertyqwerty',
    'kV3/w9kV3/w9kV3',
    'x7-x7-x7-x7-x7',
    'q9Z!q9Z!q9Z!',
    '😀😀😀😀😀😀😀😀😀😀😀😀',
  ])
    assert.match(problem(text)!, /simple row/, text)
})

test('everything else is taken, whatever kinds of characters it has', () => {
  for (const text of [
    'correct horse battery staple',
    'kvjwqxzpmtbh',
    '829301746582',
    'пять случайных слов',
    '正しい馬電池ホッチキスの針',
    'football at the river 2026',
    'I met ada.lovelace@example.org once',
    '😀🚲🌧🥖🎻🧊🪁🗝🦊🛶🕯🧵',
  ])
    assert.equal(problem(text), undefined, text)
})

test('a short name before @ refuses nothing', () => {
  assert.equal(problem('banana river cloud', 'a@example.org'), undefined)
})
