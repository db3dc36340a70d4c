import { collectGarbage } from '../../sites/collect-garbage.ts'
import { type ReceiveCommand, type ReceivedDeploy, receiveDeploy } from '../../sites/receive-deploy.ts'
import { SiteFiles } from '../../sites/site-files.ts'
import { giveToOwner } from './files/private-file.ts'
import { makeTemporaryFolder } from './files/temporary-folder.ts'

/** What a thread for sites is asked for. */
export type SiteJob = { readonly dataDir: string } & (
  | { readonly kind: 'receive'; readonly command: ReceiveCommand }
  | { readonly kind: 'collect'; readonly app: string; readonly kept: readonly string[] }
)

export async function doSiteJob(job: SiteJob): Promise<ReceivedDeploy | number> {
  const { dataDir } = job
  const files = new SiteFiles(dataDir)
  if (job.kind === 'collect') return collectGarbage(files, job.app, job.kept)
  const folder = makeTemporaryFolder(dataDir)
  try {
    const own = (path: string): void => giveToOwner(path, dataDir)
    return await receiveDeploy(files, job.command, { folder: folder.path, own })
  } finally {
    folder.remove()
  }
}
