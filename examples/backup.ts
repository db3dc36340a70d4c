import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** What the user can mend; it is printed without a stack. */
class Problem extends Error {}

/** One step: in several, each write of the server in between would begin the copy anew. */
const ALL_PAGES = 2 ** 31 - 1

/** Copies one database as it is at one moment, whoever is using it. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { timeout: 5000 })
  await backup(source, to, { rate: ALL_PAGES })
  source.close()
}

function appIds(controlFile: string): string[] {
  const control = new DatabaseSync(controlFile)
  const rows = control.prepare('SELECT id FROM apps').all()
  control.close()
  return rows.map(({ id }) => String(id))
}

async function main([data, target]: string[]): Promise<void> {
  if (data === undefined || target === undefined) throw new Problem('usage: backup.ts DATA TARGET')
  if (!existsSync(join(data, 'control.sqlite'))) throw new Problem(`there is no Sheaf data in ${data}`)
  if (existsSync(target)) throw new Problem(`${target} exists; name a new folder`)
  process.umask(0o077)
  mkdirSync(join(target, 'apps'), { recursive: true })
  // The control file first: an app that is made meanwhile is not in it, and one that is in it has its file.
  await copyDatabase(join(data, 'control.sqlite'), join(target, 'control.sqlite'))
  let copied = 0
  for (const id of appIds(join(target, 'control.sqlite'))) {
    const file = join('apps', `${id}.sqlite`)
    if (!existsSync(join(data, file))) continue
    await copyDatabase(join(data, file), join(target, file))
    copied++
  }
  if (existsSync(join(data, 'tls'))) cpSync(join(data, 'tls'), join(target, 'tls'), { recursive: true })
  console.log(`Copied ${copied} apps, keys and certificate to ${target}.`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Problem)) throw error
  console.error(`backup: ${error.message}`)
  process.exitCode = 1
}
