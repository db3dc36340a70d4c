import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { assertFits } from './screen.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** WCAG 2.0 to 2.2, A and AA, and what axe calls best practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What another colour scheme can break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
/** WCAG 2.5.8, in CSS pixels. */
const LEAST_TARGET_PX = 24
/** More stops of the Tab key than any page has. */
const MOST_STOPS = 150

/**
 * Looks over what a page shows as it is: by axe, for what is wider than the window, for targets that are too small, and for
 * characters that nobody sees.
 * @param colorSchemes all of it is looked at in the last; in others what colours can break
 */
export async function assertAccessible(
  page: Page,
  colorSchemes: readonly ('light' | 'dark')[] = ['dark', 'light'],
): Promise<void> {
  // By the debugger, which the policy doesn't concern: a script in the page would be refused.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const rules = colorScheme === colorSchemes.at(-1) ? RULES : OF_COLOURS
    assert.deepEqual(await axeFindings(page, rules), [], `${page.url()} in the ${colorScheme}`)
  }
  await assertFits(page)
  assert.deepEqual(await smallTargets(page), [], page.url())
  assert.deepEqual(await unseenTexts(page), [], page.url())
}

function axeFindings(page: Page, tagsOrRules: readonly string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run(...given: unknown[]): Promise<AxeResults> } }
    // Only the rules about media and the orientation want what a page links loaded once more, and no page has any media.
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'], preload: false })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }, tagsOrRules)
}

/** Links within a sentence are as high as its lines (WCAG 2.5.8 excepts them). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const targets = document.querySelectorAll<HTMLElement>(
      'a, button, input, select, textarea, [role^="menuitem"], [role="tab"]',
    )
    const small = [...targets].filter((target) => {
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect()
      const isHidden = target.getAttribute('aria-hidden') === 'true'
      const isWithinText =
        getComputedStyle(target).display === 'inline' && target.closest('p, th, td, h2') !== null
      return width > 0 && !isHidden && !isWithinText && (width < least || height < least)
    })
    return small.map((target) => target.outerHTML.slice(0, 200))
  }, LEAST_TARGET_PX)
}

/** Texts, and names for those who don't see them, in which there is a character that shows nothing or turns others round. */
export function unseenTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
    const named = [...document.querySelectorAll('[aria-label], [title]')].flatMap((each) => [
      each.getAttribute('aria-label') ?? '',
      each.getAttribute('title') ?? '',
    ])
    const texts = [document.title, ...document.body.textContent.split(/[\n\t]/), ...named]
    return texts.filter((text) => unseen.test(text)).map((text) => JSON.stringify(text))
  })
}

/** Goes through a page by the Tab key: wherever it stops, one sees where, and nothing lies over it. */
export async function assertFocusSeen(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    scrollTo(0, 0)
  })
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(focusFault)
    if (seen === undefined) return
    assert.equal(seen, '', page.url())
  }
  assert.fail(`${page.url()}: Tab did not come to the end`)
}

/** Nothing once the focus has left the page, or is where it was before; empty where it can be seen. */
async function focusFault(): Promise<string | undefined> {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return undefined
  const mark = 'data-walked'
  if (focused.hasAttribute(mark)) return undefined
  focused.setAttribute(mark, '')
  // An editor has its own focus, in a shadow tree, and shows it there within a second.
  const root = focused.shadowRoot
  for (let frame = 0; root && !root.querySelector('.cm-focused') && frame < 60; frame++)
    await new Promise(requestAnimationFrame)
  const marked = root?.querySelector('.cm-focused') ?? focused
  const { outlineStyle, outlineWidth } = getComputedStyle(marked)
  const shown = focused.outerHTML.slice(0, 200)
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `without an outline: ${shown}`
  const { left, top, width, height } = focused.getBoundingClientRect()
  const over = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
  const isCovered = over === null || !(focused.contains(over) || over.contains(focused))
  return isCovered ? `covered by ${over?.outerHTML.slice(0, 100)}: ${shown}` : ''
}
