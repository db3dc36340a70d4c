import { adviseAppIndex } from '../operations/advise-app-index.ts'
import { approveCollectionChange } from '../operations/approve-collection-change.ts'
import { backUpApp } from '../operations/back-up-app.ts'
import { backUpServer } from '../operations/back-up-server.ts'
import { beginPasskeyConfirmation } from '../operations/begin-passkey-confirmation.ts'
import { beginPasskeySignIn } from '../operations/begin-passkey-sign-in.ts'
import { beginProviderConnection } from '../operations/begin-provider-connection.ts'
import { beginProviderSignIn } from '../operations/begin-provider-sign-in.ts'
import { beginTotp } from '../operations/begin-totp.ts'
import { changePassword } from '../operations/change-password.ts'
import { checkSiteDomain } from '../operations/check-site-domain.ts'
import { confirmByPasskey } from '../operations/confirm-by-passkey.ts'
import { confirmPassword } from '../operations/confirm-password.ts'
import type { Caller } from '../operations/context.ts'
import { createAccountApp } from '../operations/create-account-app.ts'
import { createAppIndex } from '../operations/create-app-index.ts'
import { createAppKey } from '../operations/create-app-key.ts'
import { createDeploy } from '../operations/create-deploy.ts'
import { createInvitation } from '../operations/create-invitation.ts'
import { createPasskey } from '../operations/create-passkey.ts'
import { createPasswordReset } from '../operations/create-password-reset.ts'
import { createSiteDomain } from '../operations/create-site-domain.ts'
import { createSiteKey } from '../operations/create-site-key.ts'
import { createToken } from '../operations/create-token.ts'
import { deleteAccount } from '../operations/delete-account.ts'
import { deleteAccountApp } from '../operations/delete-account-app.ts'
import { deleteAlertWebhook } from '../operations/delete-alert-webhook.ts'
import { deleteDeploy } from '../operations/delete-deploy.ts'
import { deletePasskey } from '../operations/delete-passkey.ts'
import { deleteSiteDomain } from '../operations/delete-site-domain.ts'
import { deleteToken } from '../operations/delete-token.ts'
import { describeAccount } from '../operations/describe-account.ts'
import { describeAccountQuota } from '../operations/describe-account-quota.ts'
import { describeAlertWebhook } from '../operations/describe-alert-webhook.ts'
import { describeDeletion } from '../operations/describe-deletion.ts'
import { describeDeploy } from '../operations/describe-deploy.ts'
import { describeQuota } from '../operations/describe-quota.ts'
import { describeServer } from '../operations/describe-server.ts'
import { describeSession } from '../operations/describe-session.ts'
import { describeSite } from '../operations/describe-site.ts'
import { describeTraffic } from '../operations/describe-traffic.ts'
import { describeWaysIn } from '../operations/describe-ways-in.ts'
import { disableAccountTotp } from '../operations/disable-account-totp.ts'
import { disableTotp } from '../operations/disable-totp.ts'
import { disconnectIdentity } from '../operations/disconnect-identity.ts'
import { dropAppIndex } from '../operations/drop-app-index.ts'
import { enableTotp } from '../operations/enable-totp.ts'
import { endAccountAppTokens } from '../operations/end-account-app-tokens.ts'
import { endAppKeyTokens } from '../operations/end-app-key-tokens.ts'
import { endAppShare } from '../operations/end-app-share.ts'
import { endSession } from '../operations/end-session.ts'
import { endSessions } from '../operations/end-sessions.ts'
import { exportTraffic } from '../operations/export-traffic.ts'
import { finishProviderConnection } from '../operations/finish-provider-connection.ts'
import { finishProviderSignIn } from '../operations/finish-provider-sign-in.ts'
import { getAccountApp } from '../operations/get-account-app.ts'
import { getAppAutoIndex } from '../operations/get-app-auto-index.ts'
import { getAppSettings } from '../operations/get-app-settings.ts'
import { getDefaultQuota } from '../operations/get-default-quota.ts'
import { getPreferences } from '../operations/get-preferences.ts'
import { inspectLink } from '../operations/inspect-link.ts'
import { keepBackup } from '../operations/keep-backup.ts'
import { listAccountApps } from '../operations/list-account-apps.ts'
import { listAccountAudit } from '../operations/list-account-audit.ts'
import { listAccounts } from '../operations/list-accounts.ts'
import { listAlerts } from '../operations/list-alerts.ts'
import { listAppAudit } from '../operations/list-app-audit.ts'
import { listAppIndexes } from '../operations/list-app-indexes.ts'
import { listAppKeys } from '../operations/list-app-keys.ts'
import { listAppQueries } from '../operations/list-app-queries.ts'
import { listAppShares } from '../operations/list-app-shares.ts'
import { listBackups } from '../operations/list-backups.ts'
import { listDeletedApps } from '../operations/list-deleted-apps.ts'
import { listDeploys } from '../operations/list-deploys.ts'
import { listIdentities } from '../operations/list-identities.ts'
import { listMissingFiles } from '../operations/list-missing-files.ts'
import { listPasskeys } from '../operations/list-passkeys.ts'
import { listServerAudit } from '../operations/list-server-audit.ts'
import { listSessions } from '../operations/list-sessions.ts'
import { listTokenSecrets } from '../operations/list-token-secrets.ts'
import { listTokens } from '../operations/list-tokens.ts'
import { noteCollectionChange } from '../operations/note-collection-change.ts'
import { offerPasskey } from '../operations/offer-passkey.ts'
import { openApp } from '../operations/open-app.ts'
import { prepareAppRestore } from '../operations/prepare-app-restore.ts'
import { prepareDeploy } from '../operations/prepare-deploy.ts'
import { putPreferences } from '../operations/put-preferences.ts'
import { removeDeletedApp } from '../operations/remove-deleted-app.ts'
import { removePassword } from '../operations/remove-password.ts'
import { renamePasskey } from '../operations/rename-passkey.ts'
import { replaceRecoveryCodes } from '../operations/replace-recovery-codes.ts'
import { replaceTokenSecret } from '../operations/replace-token-secret.ts'
import { requestPasswordReset } from '../operations/request-password-reset.ts'
import { resetPassword } from '../operations/reset-password.ts'
import { resetWaysIn } from '../operations/reset-ways-in.ts'
import { restoreAccountApp } from '../operations/restore-account-app.ts'
import { restoreAppFromBackup } from '../operations/restore-app-from-backup.ts'
import { revokeAppKey } from '../operations/revoke-app-key.ts'
import { revokeSiteKey } from '../operations/revoke-site-key.ts'
import { rotateAppKey } from '../operations/rotate-app-key.ts'
import { sendTestMail } from '../operations/send-test-mail.ts'
import { setAccountQuota } from '../operations/set-account-quota.ts'
import { setAlertWebhook } from '../operations/set-alert-webhook.ts'
import { setAppAutoIndex } from '../operations/set-app-auto-index.ts'
import { setDefaultQuota } from '../operations/set-default-quota.ts'
import { setLiveDeploy } from '../operations/set-live-deploy.ts'
import { setUpAccount } from '../operations/set-up-account.ts'
import { shareApp } from '../operations/share-app.ts'
import { signIn } from '../operations/sign-in.ts'
import { signInByPasskey } from '../operations/sign-in-by-passkey.ts'
import { signOut } from '../operations/sign-out.ts'
import { summariseAppSettings } from '../operations/summarise-app-settings.ts'
import { summariseKeyRules } from '../operations/summarise-key-rules.ts'
import { testAlertWebhook } from '../operations/test-alert-webhook.ts'
import { tryAppKey } from '../operations/try-app-key.ts'
import { updateAccount } from '../operations/update-account.ts'
import { updateAppKey } from '../operations/update-app-key.ts'
import { updateAppSettings } from '../operations/update-app-settings.ts'
import { updateSite } from '../operations/update-site.ts'
import { watchTraffic } from '../operations/watch-traffic.ts'

/** What anybody may ask for; each says itself what lets one do it. */
export const PUBLIC_OPERATIONS = {
  beginPasskeySignIn,
  beginProviderSignIn,
  describeWaysIn,
  finishProviderSignIn,
  inspectLink,
  requestPasswordReset,
  resetPassword,
  setUpAccount,
  signIn,
  signInByPasskey,
} as const

/** What is done for an account. */
export const ACCOUNT_OPERATIONS = {
  createDeploy,
  deleteDeploy,
  describeDeploy,
  describeSite,
  listDeploys,
  listMissingFiles,
  prepareDeploy,
  setLiveDeploy,
  updateSite,
  adviseAppIndex,
  approveCollectionChange,
  backUpApp,
  backUpServer,
  beginPasskeyConfirmation,
  beginProviderConnection,
  beginTotp,
  changePassword,
  confirmByPasskey,
  checkSiteDomain,
  confirmPassword,
  createAccountApp,
  createAppIndex,
  createAppKey,
  createInvitation,
  createPasskey,
  createPasswordReset,
  createSiteKey,
  createSiteDomain,
  createToken,
  deleteAccount,
  deleteAccountApp,
  deleteAlertWebhook,
  deletePasskey,
  deleteSiteDomain,
  deleteToken,
  describeAccount,
  describeAccountQuota,
  describeAlertWebhook,
  describeDeletion,
  describeQuota,
  describeServer,
  describeSession,
  describeTraffic,
  disableAccountTotp,
  disableTotp,
  disconnectIdentity,
  dropAppIndex,
  enableTotp,
  endAccountAppTokens,
  endAppKeyTokens,
  endAppShare,
  endSession,
  endSessions,
  exportTraffic,
  finishProviderConnection,
  getAccountApp,
  getAppAutoIndex,
  getAppSettings,
  getDefaultQuota,
  getPreferences,
  keepBackup,
  listAccountApps,
  listAccountAudit,
  listAccounts,
  listAlerts,
  listAppAudit,
  listAppIndexes,
  listAppKeys,
  listAppQueries,
  listAppShares,
  listBackups,
  listDeletedApps,
  listIdentities,
  listServerAudit,
  listPasskeys,
  listSessions,
  listTokenSecrets,
  listTokens,
  noteCollectionChange,
  offerPasskey,
  openApp,
  prepareAppRestore,
  putPreferences,
  removeDeletedApp,
  removePassword,
  renamePasskey,
  replaceRecoveryCodes,
  replaceTokenSecret,
  resetWaysIn,
  restoreAccountApp,
  restoreAppFromBackup,
  revokeAppKey,
  revokeSiteKey,
  rotateAppKey,
  setAccountQuota,
  setAppAutoIndex,
  setDefaultQuota,
  sendTestMail,
  setAlertWebhook,
  shareApp,
  signOut,
  summariseAppSettings,
  summariseKeyRules,
  testAlertWebhook,
  tryAppKey,
  updateAccount,
  updateAppKey,
  updateAppSettings,
  watchTraffic,
} as const

/** Operations that ask no more of who calls than that it is somebody. */
type OpenToCommands = {
  [Name in keyof AccountOperations]: Caller extends Parameters<AccountOperations[Name]>[1] ? Name : never
}[keyof AccountOperations]

/** What is done for whoever runs a command, too, who has no account. */
export const COMMAND_LINE_OPERATIONS: ReadonlySet<string> = new Set([
  'approveCollectionChange',
  'checkSiteDomain',
  'createDeploy',
  'createSiteDomain',
  'createSiteKey',
  'deleteDeploy',
  'deleteSiteDomain',
  'describeDeploy',
  'describeSite',
  'describeTraffic',
  'exportTraffic',
  'listDeploys',
  'listMissingFiles',
  'noteCollectionChange',
  'openApp',
  'prepareDeploy',
  'revokeSiteKey',
  'setLiveDeploy',
  'updateSite',
] satisfies OpenToCommands[])

export type PublicOperations = typeof PUBLIC_OPERATIONS
export type AccountOperations = typeof ACCOUNT_OPERATIONS
