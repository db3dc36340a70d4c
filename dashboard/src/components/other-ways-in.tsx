import { askForPasskey, hasPasskeys } from '../passkeys.ts'
import { useSessionStore } from '../session.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import { useWaysIn } from '../ways-in.ts'
import { Button } from './button.tsx'
import formStyles from './form.module.css'
import { Problem } from './problem.tsx'
import { ProviderButton } from './provider-way-in.tsx'

/**
 * What signs in beside a password, where the server has it.
 * @param to where a provider's answer leads; without it where one is
 */
export function OtherWaysIn({ to }: { readonly to?: string }) {
  const waysIn = useWaysIn()
  return (
    <>
      {waysIn?.passkeys && hasPasskeys() && <PasskeyButton />}
      {waysIn?.oidc && <ProviderButton purpose="sign-in" to={to} name={waysIn.oidc.name} />}
    </>
  )
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
