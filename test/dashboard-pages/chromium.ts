import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Chromium, { inflate } from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { sourcesHash } from '../../dashboard/sources-hash.js'
import { ROOT } from '../docs/page.ts'

/** Where the browser is unpacked, once for all test files and runs. */
const CACHE = join(ROOT, 'node_modules/.cache/sheaf-chromium-153')
/** The machine's fonts, and those of the package for a machine that has none. */
const FONTS = `<fontconfig><dir>/usr/share/fonts</dir><dir>${CACHE}/fonts</dir><cachedir>${CACHE}/cache</cachedir></fontconfig>\n`
const LIBRARIES = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))

/**
 * Starts a real Chromium, which npm brings with its libraries and fonts. Not with the package's own flags: they switch the
 * same-origin policy and the isolation of sites off, so that no test of security could fail.
 * @param mapped such as `MAP db.example.com 127.0.0.1`
 * @param takesWorkers whether service workers are taken from servers with certificates that were made there, too
 */
export async function startBrowser({
  mapped,
  takesWorkers = false,
}: {
  readonly mapped?: string
  readonly takesWorkers?: boolean
} = {}): Promise<Browser> {
  requireFreshBuild()
  await unpack()
  return chromium.launch({
    executablePath: join(CACHE, 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      ...(takesWorkers ? ['--ignore-certificate-errors'] : []),
      ...(mapped === undefined ? [] : [`--host-resolver-rules=${mapped}`]),
    ],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: CACHE,
      FONTCONFIG_FILE: join(CACHE, 'fonts.conf'),
      LD_LIBRARY_PATH: join(CACHE, 'al2023/lib'),
    },
  })
}

export interface Screen {
  readonly width: number
  readonly height: number
  readonly colorScheme?: 'light' | 'dark'
}

/** A window of its own, with what its pages are reported to have broken of the policy. */
export async function openWindow(
  browser: Browser,
  { colorScheme = 'light', ...viewport }: Screen,
): Promise<{ readonly context: BrowserContext; readonly violations: string[] }> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    locale: 'en-US',
    ignoreHTTPSErrors: true,
    hasTouch: viewport.width < 600,
  })
  const violations: string[] = []
  await context.exposeFunction('reportViolation', (told: string) => violations.push(told))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { reportViolation } = window as unknown as { reportViolation: (told: string) => void }
      reportViolation(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  return { context, violations }
}

function requireFreshBuild(): void {
  const file = fileURLToPath(new URL('../../dashboard/dist/sources.sha256', import.meta.url))
  if (existsSync(file) && readFileSync(file, 'utf8') === sourcesHash()) return
  throw new Error('dashboard/dist is missing, or of other sources than these: npm run build')
}

/** Takes its place by a rename, so that of several test files at once each finds it whole. */
async function unpack(): Promise<void> {
  if (existsSync(CACHE)) return
  mkdirSync(dirname(CACHE), { recursive: true })
  const folder = mkdtempSync(`${CACHE}-`)
  const { TMPDIR } = process.env
  try {
    // The package unpacks into the folder for temporary files, and nowhere else.
    process.env.TMPDIR = folder
    await Promise.all([Chromium.executablePath(), inflate(fileURLToPath(LIBRARIES))])
    writeFileSync(join(folder, 'fonts.conf'), FONTS)
    renameSync(folder, CACHE)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(CACHE)) throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
