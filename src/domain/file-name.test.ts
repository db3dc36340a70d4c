import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileNameOf, fileNamesOf } from './file-name.ts'

test('a name that leads elsewhere, or is a device, is escaped to one that is a file everywhere', () => {
  const cases: [string, string][] = [
    ['notes', 'notes'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['C:\\x', 'C%3A%5Cx'],
    ['a"b\r\nc', 'a%22b%0D%0Ac'],
    ['.hidden.', '%2Ehidden%2E'],
    [' a ', '%20a%20'],
    ['100%', '100%25'],
    ['con', '%con'],
    ['COM1.txt', '%COM1.txt'],
    ['console', 'console'],
    ['\u202etxt.exe', '%E2%80%AEtxt.exe'],
    ['日本 é', '日本 é'],
  ]
  for (const [text, name] of cases) assert.equal(fileNameOf(text), name, JSON.stringify(text))
})

test('a long name is cut between characters', () => {
  assert.equal(fileNameOf('😀'.repeat(128)), '😀'.repeat(50))
  assert.equal(fileNameOf('a'.repeat(250)), 'a'.repeat(200))
})

test('no two names are one file where cases or normal forms are not told apart', () => {
  assert.deepEqual(fileNamesOf(['Notes', 'notes', 'NOTES~2', 'notes~2', 'é', 'e\u0301', 'é'.repeat(128)]), [
    'Notes',
    'notes~2',
    'NOTES~2~2',
    'notes~2~3',
    'é',
    'e\u0301~2',
    'é'.repeat(100),
  ])
})
