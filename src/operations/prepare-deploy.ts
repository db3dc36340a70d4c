import type { DeployUpload } from '../sites/site-service.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { deployMessage } from './deploy-message.ts'
import type { AppInput } from './open-app.ts'
import { requireRoomOf } from './require-room-of.ts'

/**
 * Whether a caller may make a version that is about to be sent, and where that may be written to.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_parameter`, `quota_exceeded`, and as `SiteService.prepareUpload` does
 */
export async function prepareDeploy(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles' | 'quotaUses'>,
  caller: Caller,
  { app: slug, message }: AppInput & { readonly message: string },
): Promise<DeployUpload> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  deployMessage(message)
  await requireRoomOf(context, caller, { owner: app.owner, bytes: 1 })
  const by = caller.kind === 'account' ? caller.account.id : caller.actor
  return context.siteFiles.prepareUpload({ app: app.id, by })
}
