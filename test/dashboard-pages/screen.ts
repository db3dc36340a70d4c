import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Whatever is wider than the window can be scrolled to the side. */
export async function assertFits(page: Page): Promise<void> {
  const [width, most] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(width! <= most!, `${page.url()} is ${width} px wide, of ${most}`)
}

/** Types into fields by their labels. */
export async function fill(within: Page | Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await within.getByLabel(label, { exact: true }).fill(text)
}

export function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, exact: true })
}

/** To a page of the app that has no place in the bar of a phone, where it is behind More. */
export async function goToUndocked(page: Page, name: string): Promise<void> {
  if (page.viewportSize()!.width >= 720) return page.getByRole('link', { name, exact: true }).click()
  await button(page, 'More').click()
  return page.getByRole('menuitem', { name }).click()
}

/** The bytes of all files that the page was given by now, as they came. */
export function receivedBytes(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => !name.includes('/_/api/'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
}
