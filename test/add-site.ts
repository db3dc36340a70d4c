import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

interface SiteRows {
  readonly slug: string
  /** All that are kept; the last is live. */
  readonly versions: readonly number[]
  /** That were verified. */
  readonly domains?: readonly string[]
}

/** Makes an app with a site that has no files, in the data folder of a server that may be running. */
export function addSite(dataDir: string, { slug, versions, domains = [] }: SiteRows): void {
  const db = new DatabaseSync(join(dataDir, 'control.sqlite'))
  const id = `App${Buffer.from(slug).toString('hex')}`
  try {
    db.exec('BEGIN IMMEDIATE')
    db.prepare('INSERT INTO apps (id, slug, created_at) VALUES (?, ?, 0)').run(id, slug)
    const site = 'INSERT INTO sites (app, live, last_version, kept) VALUES (?, ?, ?, 20)'
    db.prepare(site).run(id, versions.at(-1)!, versions.at(-1)!)
    const deploy = `INSERT INTO deploys (app, version, manifest, message, author, files, bytes, created_at)
      VALUES (?, ?, ?, '', '', 0, 0, 0)`
    for (const version of versions) db.prepare(deploy).run(id, version, 'a'.repeat(64))
    const verified =
      "INSERT INTO site_domains (app, domain, token, created_at, verified_at) VALUES (?, ?, '', 0, 0)"
    for (const domain of domains) db.prepare(verified).run(id, domain)
    db.exec('UPDATE directory_version SET version = version + 1')
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}
