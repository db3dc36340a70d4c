import type { NewSiteKey } from './account-changes.ts'
import type { Actor } from './account-store.ts'
import type { AppRecord, KeyRecord } from './store.ts'

/** The key that the pages of an app's site ask the API with; a site has one at most. */
export interface SiteKeyStore {
  /**
   * Makes a key of the app's owner and publishes it with the site.
   * @throws AppError `app_not_found`, `key_exists` where the site has one, `too_many_keys`, `invalid_rule` where the rules of
   * all keys are too long
   */
  createSiteKey(key: NewSiteKey, actor: Actor): Promise<KeyRecord>
  /** @throws AppError `app_not_found`, `key_not_found` */
  revokeSiteKey(app: AppRecord, actor: Actor): Promise<void>
}
