import { AppError } from '../errors.ts'
import type { OwnerContext } from './context.ts'

/** @throws AppError `app_not_found`, `invalid_configuration` */
export async function updateApp(
  { control, actor }: OwnerContext,
  { slug, autoIndex }: { slug: string; autoIndex: string },
): Promise<void> {
  if (autoIndex !== 'on' && autoIndex !== 'off')
    throw new AppError('invalid_configuration', '--auto-index takes on or off')
  await control.setAutoIndex({ app: slug, isOn: autoIndex === 'on' }, actor)
}
