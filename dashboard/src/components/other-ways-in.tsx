import { askApi } from '../api.ts'
import { askForPasskey, hasPasskeys } from '../passkeys.ts'
import { useSessionStore } from '../session.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import { useRead } from '../use-read.ts'
import type { WaysIn } from '../ways-in.ts'
import { Button } from './button.tsx'
import formStyles from './form.module.css'
import { Problem } from './problem.tsx'

/** What signs in beside a password, where the server has it. What can't be read of that is missed by nobody with a password. */
export function OtherWaysIn() {
  const { data } = useRead('ways-in', (signal) => askApi<WaysIn>('/ways-in', { signal }))
  if (data === undefined || !data.passkeys || !hasPasskeys()) return null
  return <PasskeyButton />
}

function PasskeyButton() {
  const session = useSessionStore()
  const { run, error, isPending } = useAction(async () =>
    session.signInByPasskey(await askForPasskey('sign-in')),
  )
  return (
    <div className={formStyles.form}>
      <Button isBusy={isPending} onClick={() => run(undefined)}>
        {TEXTS.passkeys.signIn}
      </Button>
      {error !== null && <Problem error={error} />}
    </div>
  )
}
