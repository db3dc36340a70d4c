import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { manifestText, type SiteFile } from '../../src/sites/manifest.ts'
import { SiteFiles } from '../../src/sites/site-files.ts'
import { readSiteSettings } from '../../src/sites/site-settings.ts'
import type { Directory, SiteRecord } from '../../src/storage/directory.ts'

/** What is deployed of a version: texts or bytes by their paths. */
export type Contents = Readonly<Record<string, string | Uint8Array>>

/** Where a test's sites are, as a deploy leaves them. */
export class SiteFolder {
  readonly dataDir: string
  readonly files: SiteFiles

  constructor(dataDir = mkdtempSync(join(tmpdir(), 'sheaf-sites-'))) {
    this.dataDir = dataDir
    this.files = new SiteFiles(dataDir)
  }

  /** Writes a version; answers the hash of its manifest. `sheaf.json` is read for its settings. */
  write(app: string, contents: Contents): string {
    const files = new Map<string, SiteFile>()
    for (const [path, content] of Object.entries(contents)) files.set(path, this.writeFile(app, content))
    const settings = readSiteSettings(String(contents['sheaf.json'] ?? '{}'))
    return this.keep(app, Buffer.from(manifestText({ files, settings })))
  }

  private writeFile(app: string, content: string | Uint8Array): SiteFile {
    const bytes = Buffer.from(content as string)
    const hash = this.keep(app, bytes)
    if (bytes.length < 2048 || typeof content !== 'string') return { hash, bytes: bytes.length, encoded: {} }
    const encoded = { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) }
    writeFileSync(this.files.pathOf(app, hash, 'br'), encoded.br)
    writeFileSync(this.files.pathOf(app, hash, 'gzip'), encoded.gzip)
    return {
      hash,
      bytes: bytes.length,
      encoded: { br: encoded.br.length, gzip: encoded.gzip.length },
    }
  }

  private keep(app: string, bytes: Buffer): string {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const path = this.files.pathOf(app, hash)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    return hash
  }
}

/** A site whose newest version is live. */
export function siteRecord(site: Partial<SiteRecord> & Pick<SiteRecord, 'slug'>): SiteRecord {
  const manifests = site.manifests ?? new Map()
  return {
    app: `app${site.slug.replaceAll('-', '')}`,
    live: manifests.size === 0 ? null : Math.max(...manifests.keys()),
    manifests,
    key: null,
    domains: [],
    ...site,
  }
}

export function directoryWith(sites: readonly SiteRecord[]): Directory {
  return {
    apps: new Map(),
    keysByHash: new Map(),
    keysById: new Map(),
    sites: new Map(sites.map((site) => [site.slug, site])),
    tokenSecrets: [],
    damages: [],
  }
}
