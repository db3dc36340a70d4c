import { isAppSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { OwnerContext } from './context.ts'

/**
 * Ends every token that lets anybody in at an app, and answers of how many keys; these go on.
 * @throws AppError `app_not_found`
 */
export async function endAppTokens({ control, actor }: OwnerContext, slug: string): Promise<number> {
  if (!isAppSlug(slug)) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return control.endAppTokens(slug, actor)
}
