import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Contents, SiteFolder } from './site-folder.ts'

/** Has an app show a site, beside the server of its data folder, which sees it as any change from beside. */
export function deployDirectly(dataDir: string, slug: string, contents: Contents): void {
  const control = new DatabaseSync(join(dataDir, 'control.sqlite'))
  try {
    const { id } = control.prepare('SELECT id FROM apps WHERE slug = ?').get(slug) as { id: string }
    const manifest = new SiteFolder(dataDir).write(id, contents)
    control.exec('BEGIN IMMEDIATE')
    control.prepare('INSERT INTO sites (app, live, last_version, kept) VALUES (?, 1, 1, 20)').run(id)
    control
      .prepare(
        'INSERT INTO deploys (app, version, manifest, message, author, files, bytes, created_at)' +
          " VALUES (?, 1, ?, '', '', ?, 0, 0)",
      )
      .run(id, manifest, Object.keys(contents).length)
    control.exec('COMMIT')
  } finally {
    control.close()
  }
}
