import type { DashboardRoutes } from '../dashboard-router.ts'
import { ACCOUNT_ROUTES, CREDENTIAL_ROUTES } from './account.ts'
import { ANALYTICS_ROUTES } from './analytics.ts'
import { APP_ROUTES, KEY_ROUTES } from './apps.ts'
import { BACKUP_ROUTES } from './backups.ts'
import { COLLECTION_ROUTES } from './collections.ts'
import { EXPORT_ROUTES } from './export.ts'
import { IMPORT_ROUTES } from './import.ts'
import { INDEX_ROUTES } from './indexes.ts'
import { OIDC_ROUTES } from './oidc.ts'
import { QUOTA_ROUTES } from './quotas.ts'
import { SERVER_ROUTES } from './server.ts'
import { SESSION_ROUTES } from './session.ts'
import { SITE_DOMAIN_ROUTES } from './site-domains.ts'
import { SITE_KEY_ROUTES } from './site-keys.ts'
import { SITE_ROUTES } from './sites.ts'
import { TAIL_ROUTES } from './tail.ts'

/** Every path under `/_/api` but those of documents, with what each method does there. */
export const ROUTES: DashboardRoutes = {
  ...SESSION_ROUTES,
  ...OIDC_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CREDENTIAL_ROUTES,
  ...APP_ROUTES,
  ...ANALYTICS_ROUTES,
  ...KEY_ROUTES,
  ...SITE_KEY_ROUTES,
  ...COLLECTION_ROUTES,
  ...INDEX_ROUTES,
  ...SITE_DOMAIN_ROUTES,
  ...BACKUP_ROUTES,
  ...IMPORT_ROUTES,
  ...EXPORT_ROUTES,
  ...SITE_ROUTES,
  ...TAIL_ROUTES,
  ...SERVER_ROUTES,
  ...QUOTA_ROUTES,
}
