import { siteBytes } from '../sites/site-bytes.ts'
import { SiteFiles } from '../sites/site-files.ts'
import type { AppRecord, Directory } from '../storage/directory.ts'
import { appFile } from '../storage/sqlite/files/data-folder.ts'
import { databaseBytes, databaseState } from '../storage/sqlite/files/measure-storage.ts'

export interface OwnersParts {
  readonly dataDir: string
  readonly store: {
    directory(): Pick<Directory, 'apps' | 'sites' | 'quotas'>
    measureApp(app: string): Promise<{ readonly bytes: number }>
  }
  /** Of deleted ones that can be restored, too. */
  readonly control: { listEveryApp(): readonly AppRecord[] }
  /** Apps whose sites may have files that no version names. */
  readonly sitesToCollect: () => readonly string[]
}

interface Measured {
  /** What was there when it was measured; another one means that it has changed. */
  readonly mark: string
  readonly bytes: number
}

/** What accounts store, by the files of their apps. What has not changed is not looked into again. */
export class OwnerSizes {
  private readonly parts: OwnersParts
  private readonly files: SiteFiles
  private readonly documents = new Map<string, Measured>()
  private readonly sites = new Map<string, Measured>()

  constructor(parts: OwnersParts) {
    this.parts = parts
    this.files = new SiteFiles(parts.dataDir)
  }

  /** @param isWanted which accounts, by their ids */
  async measure(isWanted: (owner: string) => boolean): Promise<ReadonlyMap<string, number>> {
    const apps = this.parts.control.listEveryApp().filter(({ owner }) => owner !== null && isWanted(owner))
    const collected = new Set(this.parts.sitesToCollect())
    const sums = new Map<string, number>()
    // One after the other: whoever reads documents has the readers first.
    for (const app of apps) {
      const bytes = (await this.documentBytes(app)) + (await this.siteBytes(app, collected))
      sums.set(app.owner!, (sums.get(app.owner!) ?? 0) + bytes)
    }
    const ids = new Set(apps.map(({ id }) => id))
    for (const known of [this.documents, this.sites])
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    return sums
  }

  /** Pages that are in use, as the app's page tells; of a deleted app, whose file nobody opens, the file. */
  private documentBytes({ id, slug }: AppRecord): Promise<number> {
    const { dataDir, store } = this.parts
    const isThere = store.directory().apps.get(slug)?.id === id
    const file = appFile(dataDir, id)
    return remembered(this.documents, id, {
      mark: async () => `${isThere} ${(await databaseState(file)).mark}`,
      measure: async () => {
        if (isThere) return (await store.measureApp(id)).bytes
        const { bytes, walBytes } = await databaseBytes(file)
        return bytes + walBytes
      },
    })
  }

  /** What is to be collected goes some time after its version. */
  private siteBytes({ id, slug }: AppRecord, collected: ReadonlySet<string>): Promise<number> {
    const versions = this.parts.store.directory().sites.get(slug)?.manifests ?? new Map()
    return remembered(this.sites, id, {
      mark: async () => `${collected.has(id)} ${[...versions.values()].join(' ')}`,
      measure: () => siteBytes(this.files.filesOf(id)),
    })
  }
}

async function remembered(
  known: Map<string, Measured>,
  id: string,
  of: { readonly mark: () => Promise<string>; readonly measure: () => Promise<number> },
): Promise<number> {
  const mark = await of.mark()
  const before = known.get(id)
  if (before?.mark === mark) return before.bytes
  const bytes = await of.measure()
  known.set(id, { mark, bytes })
  return bytes
}
