import { rm } from 'node:fs/promises'
import { collectGarbage } from '../../sites/collect-garbage.ts'
import { type ReceiveCommand, type ReceivedDeploy, receiveDeploy } from '../../sites/receive-deploy.ts'
import { SiteFiles } from '../../sites/site-files.ts'
import { giveToOwner } from './files/private-file.ts'
import { makeTemporaryFolder } from './files/temporary-folder.ts'

/** What a thread for sites is asked for. */
export type SiteJob = { readonly dataDir: string } & (
  | { readonly kind: 'receive'; readonly command: ReceiveCommand }
  | { readonly kind: 'collect'; readonly app: string; readonly kept: readonly string[] }
  | { readonly kind: 'remove'; readonly app: string }
)

export async function doSiteJob(job: SiteJob): Promise<ReceivedDeploy | number | undefined> {
  const { dataDir } = job
  const files = new SiteFiles(dataDir)
  if (job.kind === 'collect') return collectGarbage(files, job.app, job.kept)
  if (job.kind === 'remove') return removeSite(files, job.app)
  const folder = makeTemporaryFolder(dataDir)
  try {
    const own = (path: string): void => giveToOwner(path, dataDir)
    return await receiveDeploy(files, job.command, { folder: folder.path, own })
  } finally {
    folder.remove()
  }
}

/** Its mark goes last, or what a kill leaves would stay. */
async function removeSite(files: SiteFiles, app: string): Promise<undefined> {
  for (const path of [files.filesOf(app), files.folderOf(app)])
    await rm(path, { recursive: true, force: true })
}
