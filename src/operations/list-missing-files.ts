import { AppError } from '../errors.ts'
import { isFileHash } from '../sites/manifest.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * Which files have to be sent with a deploy. What other apps have is not looked at, for a hash that is there would prove
 * that somebody has the file.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_request`, `deploy_too_large`
 */
export async function listMissingFiles(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles' | 'limits'>,
  caller: Caller,
  { app: slug, hashes }: AppInput & { readonly hashes: readonly string[] },
): Promise<{ readonly missing: readonly string[] }> {
  const { siteFiles, limits } = context
  const { app } = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  if (hashes.length > limits.siteFiles)
    throw new AppError('deploy_too_large', `a site may have at most ${limits.siteFiles} files`)
  if (!hashes.every(isFileHash))
    throw new AppError(
      'invalid_request',
      'the field hashes takes SHA-256 in lower-case hexadecimal, 64 digits each',
    )
  return { missing: await siteFiles.missing(app.id, hashes) }
}
