import { subtle } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { type Coding, isFileHash, readManifest, type SiteManifest } from './manifest.ts'
import { readServedManifest, type ServedManifest } from './read-served-manifest.ts'

const APP_ID = /^[0-9A-Za-z]{1,64}$/
const ENDINGS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** What the name of an encoded form ends with. */
export function codingEnding(coding: Coding): string {
  return ENDINGS[coding]
}

/** Where files of sites are in a data folder. Ids and hashes alone become names there, and are checked before they do. */
export class SiteFiles {
  private readonly root: string

  constructor(dataDir: string) {
    this.root = join(dataDir, 'sites')
  }

  /** All that an app's site has on the disk. @param app by its id */
  folderOf(app: string): string {
    if (!APP_ID.test(app)) throw new AppError('internal', `${JSON.stringify(app)} is no id of an app`)
    return join(this.root, app)
  }

  /** Where its files are, by the first two digits of their hashes. */
  filesOf(app: string): string {
    return join(this.folderOf(app), 'files')
  }

  /** Of a file that is kept, or of its encoded form. */
  pathOf(app: string, hash: string, coding?: Coding): string {
    if (!isFileHash(hash)) throw new AppError('internal', `${JSON.stringify(hash)} is no hash of a file`)
    const ending = coding === undefined ? '' : codingEnding(coding)
    return join(this.filesOf(app), hash.slice(0, 2), `${hash}${ending}`)
  }

  /** @throws AppError `store_unavailable` where it is gone or damaged */
  async readManifest(app: string, hash: string): Promise<SiteManifest> {
    const bytes = await this.manifestBytes(app, hash)
    return readManifest(bytes.toString()) ?? damaged(app, hash)
  }

  /** The same for where visitors wait. @throws AppError `store_unavailable` where it is gone or damaged */
  async readServedManifest(app: string, hash: string): Promise<ServedManifest> {
    const bytes = await this.manifestBytes(app, hash)
    return (await readServedManifest(bytes)) ?? damaged(app, hash)
  }

  private async manifestBytes(app: string, hash: string): Promise<Buffer> {
    const bytes = await readFile(this.pathOf(app, hash)).catch((cause: unknown) => {
      throw unreadable(cause)
    })
    // On a thread: one of 19,000 files has megabytes.
    const sum = Buffer.from(await subtle.digest('SHA-256', bytes)).toString('hex')
    return sum === hash ? bytes : damaged(app, hash)
  }
}

function damaged(app: string, hash: string): never {
  throw unreadable(new Error(`the manifest ${hash} of ${app} is damaged`))
}

function unreadable(cause: unknown): AppError {
  return new AppError(
    'store_unavailable',
    'the files of this version of the site can not be read; deploy it again, or restore them from a backup',
    { cause },
  )
}
