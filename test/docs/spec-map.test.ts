import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT, readPage } from './page.ts'

/** Of the words of the specification in their order, with one space between two, without the marks of Markdown's tables. */
const WORDS_SHA256 = '110d57a6a592b635aa47796de1ca267af7622efbcc497b1e3f2a81022631a884'
const PAGE = readPage('docs/spec-map.md')

interface Row {
  readonly says: string
  readonly built: string
  readonly proved: string
}

/** The headings of the page as texts, and the rows of its tables, in their order. */
const PARTS: readonly (string | Row)[] = PAGE.split('\n').flatMap((line): (string | Row)[] => {
  const heading = /^###? (.*)/.exec(line)?.[1]
  if (heading !== undefined) return [heading]
  if (!line.startsWith('| ')) return []
  const [says = '', built = '', proved = ''] = line.slice(1).split(/(?<!\\)\|/)
  return [{ says: says.trim(), built: built.trim(), proved: proved.trim() }]
})
const ROWS = PARTS.filter((part) => typeof part !== 'string')
const SENTENCES = ROWS.filter(({ built }) => built !== 'built in')

describe('the map of the specification', () => {
  it('has every word of the specification in its place, and no other', () => {
    const texts = PARTS.map((part) => (typeof part === 'string' ? part : part.says))
    const words = texts
      .filter((text) => text !== 'the specification')
      .join(' ')
      .replaceAll(/\\\||·/g, ' ')
    const hash = createHash('sha256').update(words.trim().split(/\s+/).join(' ')).digest('hex')
    assert.equal(hash, WORDS_SHA256)
  })

  it('says of every sentence where it is built, and has a test for what is built', () => {
    assert.ok(SENTENCES.length > 100)
    for (const { says, built, proved } of SENTENCES) {
      if (built === 'nothing to build') assert.equal(proved, '—', says)
      else assert.match(`${built} ${proved}`, /\]\(.*\]\(.* \*/, says)
    }
  })

  it('names no test that there is not', () => {
    for (const { says, proved } of SENTENCES) {
      if (proved === '—') continue
      for (const proof of proved.split('<br>')) {
        const [, path = '', name = ''] = /^\[[^\]]+\]\(\.\.\/([^)]+)\) \*(.+)\*$/.exec(proof) ?? []
        assert.ok(existsSync(join(ROOT, path)) && path !== '', `${proof} of ${says}`)
        const source = readPage(path)
        const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`))
        assert.ok(isThere, `${path} has no test "${name}"`)
      }
    }
  })
})
