import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Clone } from './clone.ts'
import { exampleName, examplesOf, ROOT, readPage } from './page.ts'

for (const page of globSync('docs/{reference,operations}/*.md', { cwd: ROOT }).sort()) {
  const examples = examplesOf(readPage(page))
  if (examples.length > 0)
    describe(`the examples of ${basename(page)}`, () => {
      let clone: Clone | undefined
      before(async () => {
        clone = await Clone.start()
      })
      after(() => clone?.close())
      for (const example of examples) it(`hold: ${exampleName(example)}`, () => clone!.check(example))
      it('leave nothing in a clone that git would add', () => assert.deepEqual(clone!.untracked(), []))
    })
}
