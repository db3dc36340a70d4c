import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareFiles } from '../../dashboard/src/site/compare-files.ts'
import { deployBody, hashFiles } from '../../dashboard/src/site/deploy-body.ts'

/** FIPS 180-2, appendix B.1. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
/** Of no bytes. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function files(contents: Readonly<Record<string, string>>) {
  return Object.entries(contents).map(([path, text]) => ({ path, file: new File([text], path) }))
}

const going = new AbortController().signal

describe('the files of a deploy', () => {
  it('are known by their hashes, in the order in which they were given', async () => {
    const counts: number[] = []
    const all = files(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.txt`, 'abc'])))
    const hashed = await hashFiles([...all, ...files({ empty: '' })], {
      onFiles: (count) => counts.push(count),
      signal: going,
    })
    assert.deepEqual([hashed[0]!.hash, hashed[299]!.hash, hashed[300]!.hash], [ABC, ABC, EMPTY])
    assert.deepEqual(
      hashed.map(({ path }) => path),
      [...all.map(({ path }) => path), 'empty'],
    )
    assert.deepEqual(counts, [256, 301])
  })

  it('are not read any more once it was stopped', async () => {
    const aborter = new AbortController()
    const all = files(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.txt`, 'abc'])))
    const onFiles = () => aborter.abort()
    await assert.rejects(hashFiles(all, { onFiles, signal: aborter.signal }), { name: 'AbortError' })
    await assert.rejects(hashFiles(files({ 'a.txt': 'abc' }), { onFiles, signal: aborter.signal }), {
      name: 'AbortError',
    })
  })

  it('follow their list each once, and only where the server lacks them', async () => {
    const hashed = await hashFiles(files({ a: 'abc', b: 'xyz', c: 'abc', d: '', é: 'as it was' }), {
      onFiles: () => undefined,
      signal: going,
    })
    const lacks = hashed.filter(({ path }) => path !== 'é').map(({ hash }) => hash)
    const text = await deployBody(hashed, lacks).text()
    const end = text.indexOf('\n')
    assert.equal(text.slice(end + 1), 'abcxyz')
    const { files: listed } = JSON.parse(text.slice(0, end))
    assert.deepEqual(
      listed.map(({ path, bytes, sent }: Record<string, unknown>) => [path, bytes, sent]),
      [
        ['a', 3, true],
        ['b', 3, true],
        ['c', 3, false],
        ['d', 0, true],
        ['é', 9, false],
      ],
    )
    assert.deepEqual([listed[0].hash, listed[3].hash], [ABC, EMPTY])
  })
})

describe('two versions of a site', () => {
  it('differ in files that were added, changed and removed', () => {
    const of = (hashes: Readonly<Record<string, string>>) =>
      Object.entries(hashes).map(([path, hash]) => ({ path, hash, bytes: 1, type: 'text/plain' }))
    const before = of({ b: '1', gone: '2', same: '3' })
    const after = of({ same: '3', b: '4', a: '2' })
    assert.deepEqual(compareFiles(before, after), [
      { kind: 'added', path: 'a' },
      { kind: 'changed', path: 'b' },
      { kind: 'removed', path: 'gone' },
    ])
    assert.deepEqual(compareFiles(after, after), [])
  })
})
