import type { SiteManifest } from './manifest.ts'
import type { ReceivedDeploy } from './receive-deploy.ts'

/** Where a deploy may be written to while it comes in. */
export interface DeployUpload {
  readonly path: string
  readonly mostBytes: number
  /** Whether there would be more if the disk had room for it. */
  readonly isDiskFull: boolean
}

/** Whose a deploy is that comes in. */
export interface DeployOrigin {
  /** By its id. */
  readonly app: string
  /** An account by its id, or what else is one that deploys. */
  readonly by: string
}

export interface DeployBody {
  /** By its id. */
  readonly app: string
  /** Where what was sent is. */
  readonly body: string
  readonly kind: 'files' | 'zip'
}

/** Files of the sites of a data folder. Apps are named by their ids. */
export interface SiteService {
  /**
   * Whoever asks removes the file at the end, however that comes.
   * @throws AppError `deploy_under_way`, `rate_limited`, `overloaded`, `store_unavailable` where the disk has no room
   */
  prepareUpload(origin: DeployOrigin): Promise<DeployUpload>
  /** Which of these the site has no file of. */
  missing(app: string, hashes: readonly string[]): Promise<readonly string[]>
  /**
   * Makes files of what was sent, and then a version of these. Where one of both fails, the files go.
   * @throws AppError `invalid_deploy`, `deploy_too_large`, `files_missing`, `store_unavailable`, and what `commit` throws
   */
  receive<Made>(body: DeployBody, commit: (received: ReceivedDeploy) => Promise<Made>): Promise<Made>
  /** @throws AppError `store_unavailable` where it is gone or damaged */
  readManifest(app: string, hash: string): Promise<SiteManifest>
  /** Has what no kept version names removed, after what is under way. */
  collect(app: string): void
}
