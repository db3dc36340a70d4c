import type { Principal } from '../domain/principal.ts'
import type { AppSize } from '../storage/store.ts'
import { authorise } from './authorise.ts'
import type { OperationContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * How much an app holds, for an account, which may read every collection of an app that it may read.
 * @throws AppError for the app as `authorise` does, and what the store throws
 */
export function measureApp(
  context: OperationContext,
  principal: Principal,
  { app }: AppInput,
): Promise<AppSize> {
  return context.store.measureApp(authorise(context, principal, app, 'read').id)
}
