import { CODINGS } from '../../../sites/manifest.ts'
import { codingEnding, SiteFiles } from '../../../sites/site-files.ts'

/** Lengths of whole files of a site, by their names. */
export type StoredSiteFiles = Map<string, number>

/**
 * Whether all versions have all of their files.
 * @param manifests hashes of these versions' manifests
 * @param stored what is looked at, instead of what is in the folder
 */
export async function isWholeSite(
  { dataDir, app, manifests }: { dataDir: string; app: string; manifests: readonly string[] },
  stored: StoredSiteFiles,
): Promise<boolean> {
  const files = new SiteFiles(dataDir)
  for (const manifest of manifests) {
    const read = stored.has(manifest)
      ? await files.readManifest(app, manifest).catch(() => undefined)
      : undefined
    if (read === undefined) return false
    for (const { hash, bytes, encoded } of read.files.values()) {
      const isStored =
        stored.get(hash) === bytes &&
        CODINGS.every(
          (coding) =>
            encoded[coding] === undefined || stored.get(`${hash}${codingEnding(coding)}`) === encoded[coding],
        )
      if (!isStored) return false
    }
  }
  return true
}
