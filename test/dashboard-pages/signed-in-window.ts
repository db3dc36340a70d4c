import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'
import { openWindow, type Screen } from './chromium.ts'

export interface SignedInWindow {
  readonly context: BrowserContext
  readonly page: Page
  /** What was broken of the policy, and what was thrown. */
  readonly faults: string[]
  /** @param path such as `/account` */
  readonly goto: (path: string) => Promise<unknown>
}

/** A window that has the cookie of a session. */
export async function openSignedIn(
  browser: Browser,
  { server }: Dashboard,
  { credential, screen }: { readonly credential: Credential; readonly screen: Screen },
): Promise<SignedInWindow> {
  const { context, violations: faults } = await openWindow(browser, screen)
  const origin = `https://localhost:${server.port}`
  const [name, value] = credential.Cookie!.split('=') as [string, string]
  await context.addCookies([{ name, value, url: origin, secure: true, httpOnly: true, sameSite: 'Strict' }])
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  return { context, page, faults, goto: (path) => page.goto(`${origin}/_${path}`) }
}
