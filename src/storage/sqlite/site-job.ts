import { rm } from 'node:fs/promises'
import { systemProblem } from '../../domain/system-problem.ts'
import { AppError } from '../../errors.ts'
import { collectGarbage } from '../../sites/collect-garbage.ts'
import { type ReceiveCommand, type ReceivedDeploy, receiveDeploy } from '../../sites/receive-deploy.ts'
import { SiteFiles } from '../../sites/site-files.ts'
import { spareBytes } from './files/measure-storage.ts'
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
    const roomBytes = await spareBytes(dataDir)
    return await receiveDeploy(files, job.command, { folder: folder.path, own, roomBytes })
  } catch (error) {
    const problem = systemProblem(error)
    if (problem === undefined) throw error
    const message = `the deploy can't be written: ${problem}; nothing of it is kept`
    throw new AppError('store_unavailable', message, { cause: error })
  } finally {
    folder.remove()
  }
}

/** Its mark goes last, or what a kill leaves would stay. */
async function removeSite(files: SiteFiles, app: string): Promise<undefined> {
  for (const path of [files.filesOf(app), files.folderOf(app)])
    await rm(path, { recursive: true, force: true })
}
