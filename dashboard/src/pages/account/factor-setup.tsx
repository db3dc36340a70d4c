import { useMutation } from '@tanstack/react-query'
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import type { FormEvent } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { TEXTS } from '../../texts.ts'
import styles from './factor-setup.module.css'

export interface OfferedTotp {
  readonly secret: string
  /** What a QR code has in it. */
  readonly uri: string
}

export interface ShownRecoveryCodes {
  readonly recoveryCodes: readonly string[]
}

interface FactorSetupProps {
  readonly offered: OfferedTotp
  readonly onEnabled: (shown: ShownRecoveryCodes) => unknown
  readonly onClose: () => void
}

const texts = ACCOUNT_TEXTS.factor

/** Shows a secret to an authenticator app, and turns it on by a code that shows that the app has it. */
export function FactorSetup({ offered: { secret, uri }, onEnabled, onClose }: FactorSetupProps) {
  const confirmed = useConfirmed()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (code: string) =>
      confirmed(() => askApi<ShownRecoveryCodes>('/account/totp', { method: 'PUT', json: { secret, code } })),
    onSuccess: onEnabled,
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  return (
    <form className={formStyles.form} onSubmit={submit}>
      <p>{texts.scan}</p>
      <QrCode text={uri} />
      <p>
        {texts.secret}: <code className={styles.secret}>{secret}</code>
      </p>
      <Field
        name="code"
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
      />
      <p className={formStyles.note}>{texts.others}</p>
      {error !== null && <Problem error={error} />}
      <div className={formStyles.acts}>
        <Button look="main" type="submit" isBusy={isPending}>
          {texts.enable}
        </Button>
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
      </div>
    </form>
  )
}

/** Modules of white around it, without which it isn't read (ISO/IEC 18004, section 6.3.8). */
const QUIET_ZONE = 4

function QrCode({ text }: { readonly text: string }) {
  const code = generate(text)
  const size = code.size + 2 * QUIET_ZONE
  return (
    <svg
      className={styles.picture}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={texts.picture}
    >
      <path d={toSvgPath(code)} />
    </svg>
  )
}
