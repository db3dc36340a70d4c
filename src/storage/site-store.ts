import type { AppAddress } from './account-changes.ts'
import type { Actor } from './account-store.ts'
import type { SiteDomainStore } from './site-domain-store.ts'
import type { SiteKeyStore } from './site-key-store.ts'

/** A version of a site that is kept. */
export interface DeployRecord {
  /** Counted from 1 for each app, and never used again. */
  readonly version: number
  /** The hash of the manifest of its files. */
  readonly manifest: string
  readonly message: string
  /** Who made it, as the audit trail shows it. */
  readonly author: string
  readonly files: number
  readonly bytes: number
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
}

export interface NewDeploy extends Omit<DeployRecord, 'version' | 'createdAt'> {
  readonly app: AppAddress
  /** Whether it is served from now on. */
  readonly isLive: boolean
}

/** What an app's site is, beside its versions. */
export interface SiteState {
  /** The version that is served. */
  readonly live: number | null
  /** How many versions are kept; the live one is among them, however old it is. */
  readonly kept: number
}

/** What a change has let go of. */
export interface Trimmed {
  /** How many versions. */
  readonly trimmed: number
}

/** Sites of apps: their versions, keys and domains. Files are kept elsewhere. */
export interface SiteStore extends SiteKeyStore, SiteDomainStore {
  /** @param app by its id */
  findSite(app: string): Promise<SiteState>
  /** The newest first. @param app by its id; also one that is deleted */
  listDeploys(app: string): Promise<DeployRecord[]>
  /** @param where the app by its id @throws AppError `deploy_not_found` */
  findDeploy(where: { readonly app: string; readonly version: number }): Promise<DeployRecord>
  /** The oldest of too many go. @throws AppError `app_not_found` */
  insertDeploy(deploy: NewDeploy, actor: Actor): Promise<{ readonly deploy: DeployRecord } & Trimmed>
  /** Serves this version, or with null none. @throws AppError `app_not_found`, `deploy_not_found` */
  setLive(change: { readonly app: AppAddress; readonly version: number | null }, actor: Actor): Promise<void>
  /** @throws AppError `app_not_found`, `deploy_not_found`, `deploy_live` */
  deleteDeploy(deploy: { readonly app: AppAddress; readonly version: number }, actor: Actor): Promise<void>
  /** The oldest of too many go. @throws AppError `app_not_found` */
  setKept(change: { readonly app: AppAddress; readonly kept: number }, actor: Actor): Promise<Trimmed>
}
