import { goToProvider, type ProviderPurpose } from '../provider.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import { useWaysIn } from '../ways-in.ts'
import { Button, type ButtonProps } from './button.tsx'
import formStyles from './form.module.css'
import { Problem } from './problem.tsx'
import { Value } from './value.tsx'

interface ProviderWayInProps extends Pick<ButtonProps, 'look'> {
  readonly purpose: ProviderPurpose
  readonly secret?: string
  /** Where to go on; where one is without it. */
  readonly to?: string | undefined
}

/** A button that leads to the OpenID provider, where the server has one. */
export function ProviderWayIn(props: ProviderWayInProps) {
  const name = useWaysIn()?.oidc?.name
  return name === undefined ? null : <ProviderButton {...props} name={name} />
}

export function ProviderButton({
  purpose,
  secret,
  to,
  look = 'plain',
  name,
}: ProviderWayInProps & { readonly name: string }) {
  const { run, error, isPending } = useAction(() =>
    goToProvider({ purpose, secret, to: to ?? shownAddress() }),
  )
  return (
    <div className={formStyles.form}>
      <Button look={look} isBusy={isPending} onClick={() => run(undefined)}>
        <span>
          {TEXTS.provider.button} <Value text={name} />
        </span>
      </Button>
      {error !== null && <Problem error={error} />}
    </div>
  )
}

/** The address of the page as the browser has it, behind `/_`. */
function shownAddress(): string {
  return location.pathname.slice('/_'.length) + location.search
}
