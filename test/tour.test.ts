import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Clone } from './docs/clone.ts'
import { blockAfter, exampleName, examplesOf, readPage, section } from './docs/page.ts'

const README = readPage('README.md')

describe("the README's tour", () => {
  let clone: Clone | undefined
  before(async () => {
    clone = await Clone.start()
  })
  after(() => clone?.close())

  it('shows what the first start prints', () => {
    const shown = blockAfter(README, 'and says so:', 'text')
    const printed = clone!.greeting
      .replaceAll(clone!.address, 'https://localhost:8443')
      .replaceAll(clone!.key, 'shf_the_key')
      .replace(/setup#[\w-]{43}/, 'setup#the_secret_of_the_link')
      .replaceAll(join(clone!.folder, 'data'), '/home/you/sheaf/data')
    assert.equal(shown, printed)
  })

  for (const example of examplesOf(section(README, 'A five-minute tour')))
    it(`holds: ${exampleName(example)}`, () => clone!.check(example))
})
