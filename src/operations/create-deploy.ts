import { stat } from 'node:fs/promises'
import type { ReceivedDeploy } from '../sites/receive-deploy.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { deployMessage } from './deploy-message.ts'
import { type DescribedDeploy, describeDeploys } from './describe-deploys.ts'
import { type DescribedSite, describeSiteProblem } from './describe-site.ts'
import type { AppInput } from './open-app.ts'
import { requireRoomOf, withRoomOf } from './require-room-of.ts'
import { siteUrl } from './site-url.ts'

export interface NewDeployInput extends AppInput {
  readonly message: string
  /** Whether it is served from then on. */
  readonly isLive: boolean
  /** Where what was sent is. */
  readonly body: string
  readonly kind: 'files' | 'zip'
}

type Noticed = Pick<ReceivedDeploy, 'leftOut' | 'leftOutCount' | 'likelyFolder'>

/** With all that there is to say of it, for whoever may deploy may not be let to read. */
export interface CreatedDeploy extends DescribedDeploy, Noticed, Pick<DescribedSite, 'problem'> {}

/**
 * Makes a version of a site of what was sent; that is the app's editors' to do. Where it fails, nothing has changed.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_parameter`, `quota_exceeded`, and as `SiteService.receive` does
 */
export async function createDeploy(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles' | 'sites' | 'siteProblem' | 'quotaUses'>,
  caller: Caller,
  { app: slug, message: text, isLive, body, kind }: NewDeployInput,
): Promise<CreatedDeploy> {
  const { accounts, siteFiles } = context
  const { app } = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  const message = deployMessage(text)
  await requireRoomOf(context, caller, { owner: app.owner, bytes: (await stat(body)).size })
  const actor = actorOf(caller)
  const author = typeof actor === 'string' ? actor : actor.name
  return siteFiles.receive({ app: app.id, body, kind }, async (received) => {
    const { leftOut, leftOutCount, likelyFolder, newBytes, ...made } = received
    // It may have been shared with the caller no more since it began.
    await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
    // A zip may hold a thousand times as much as was sent.
    const { deploy, trimmed } = await withRoomOf(context, caller, {
      ...{ owner: app.owner, bytes: newBytes },
      write: () => accounts.insertDeploy({ app, ...made, message, author, isLive }, actor),
    })
    if (trimmed > 0) siteFiles.collect(app.id)
    const site = await accounts.findSite(app.id)
    const [described] = describeDeploys(context, { slug, site, deploys: [deploy] })
    const url = isLive ? siteUrl(context, slug) : described!.url
    const problem = describeSiteProblem(context, slug)
    return { ...described!, url, problem, leftOut, leftOutCount, likelyFolder }
  })
}
