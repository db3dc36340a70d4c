import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitFileList } from './split-file-list.ts'

describe('the list of a deploy', () => {
  it('may have spaces, and any text as a path', () => {
    const entries = ['{"path": "a}], [{b.html"}', '{"path":"\\"\\\\"}', '{"path":"é,{"}']
    const line = Buffer.from(` { "files" : [ ${entries.join(' ,\t')} ] } \r`)
    assert.deepEqual([...splitFileList(line)].map(String), entries)
    assert.deepEqual([...splitFileList(Buffer.from('{"files":[]}'))], [])
  })
})
