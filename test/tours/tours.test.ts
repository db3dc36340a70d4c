import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { openWindow, startBrowser } from '../dashboard-pages/chromium.ts'
import { Clone } from '../docs/clone.ts'
import { blockAfter, exampleName, examplesOf, readPage, section } from '../docs/page.ts'
import { Hand, STEPS } from './dashboard-steps.ts'

const TOUR = readPage('docs/tour.md')
const DASHBOARD_TOUR = readPage('docs/tour-dashboard.md')

let clone: Clone
before(async () => {
  clone = await Clone.start()
})
after(() => clone?.close())

describe('the five-minute tour', () => {
  it('shows what the first start prints', () => {
    const shown = blockAfter(TOUR, 'and says so:', 'text')
    const printed = clone.greeting
      .replaceAll(clone.address, 'https://localhost:8443')
      .replaceAll(clone.key, 'shf_the_key')
      .replace(/setup#[\w-]{43}/, 'setup#the_secret_of_the_link')
      .replaceAll(join(clone.folder, 'data'), '/home/you/sheaf/data')
    assert.equal(shown, printed)
  })

  for (const example of examplesOf(TOUR)) it(`holds: ${exampleName(example)}`, () => clone.check(example))
})

describe('the tour through the dashboard', () => {
  let browser: Browser
  let hand: Hand
  let faults: string[]
  before(async () => {
    browser = await startBrowser()
    const { context, violations } = await openWindow(browser, { width: 1280, height: 800 })
    faults = violations
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    hand = new Hand(page, clone)
  })
  after(() => browser?.close())

  it('has a step for each of its headings', () => {
    const headings = [...DASHBOARD_TOUR.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    assert.deepEqual(Object.keys(STEPS), headings)
  })

  for (const [heading, step] of Object.entries(STEPS))
    it(`leads through "${heading}" by the names that it shows in bold type`, async () => {
      hand.used.clear()
      await step(hand)
      const bold = section(DASHBOARD_TOUR, heading).matchAll(/\*\*([^*]+)\*\*/g)
      const named = new Set([...bold].map(([, name = '']) => name.replace('\n', ' ')))
      assert.deepEqual([...named].toSorted(), [...hand.used].toSorted())
      assert.deepEqual(faults, [])
    })
})
