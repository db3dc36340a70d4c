/**
 * Builds the dashboard's pages into `dashboard/dist`: `npm run build`, which npm also runs after an install. Nothing that
 * goes wrong here keeps the API from serving. The folder takes its place when it is whole, compressed files and all, so
 * that whoever reads it beside this finds the one build or the other.
 */
import { existsSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sourcesHash } from './sources-hash.js'

const ROOT = import.meta.dirname
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  },
}
const CODERS = {
  '.br': (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  '.gz': (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Leaves the compressed forms of a file beside it, where they are shorter. */
async function compress(file) {
  const bytes = await readFile(file)
  const forms = Object.entries(CODERS).map(async ([suffix, code]) => {
    const coded = await code(bytes)
    if (coded.length < bytes.length) await writeFile(`${file}${suffix}`, coded)
  })
  await Promise.all(forms)
}

const made = join(ROOT, `dist-${process.pid}`)
try {
  const { build } = await import('vite')
  await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: made, emptyOutDir: true },
  })
  await Promise.all(globSync(`${made}/{index.html,assets/*}`).map(compress))
  writeFileSync(join(made, 'sources.sha256'), sourcesHash())
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  renameSync(made, join(ROOT, 'dist'))
} catch (error) {
  rmSync(made, { recursive: true, force: true })
  // A release comes with its build, and without what makes one.
  const isRelease = error.code === 'ERR_MODULE_NOT_FOUND' && existsSync(join(ROOT, 'dist/index.html'))
  if (isRelease) process.exit()
  const why = error instanceof Error ? error.message : String(error)
  process.stderr.write(`sheaf: the dashboard was not built, and the API works without it: ${why}\n`)
  process.exitCode = 1
}
