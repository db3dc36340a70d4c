import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import type { DescribedAccount } from './described-account.ts'
import { FactorSetup, type OfferedTotp, type ShownRecoveryCodes } from './factor-setup.tsx'

const texts = ACCOUNT_TEXTS.factor

/** Codes of an authenticator app at a sign-in, and the recovery codes for whoever has lost it. */
export function SecondFactor({ described }: { readonly described: DescribedAccount }) {
  const client = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const show = ({ recoveryCodes }: ShownRecoveryCodes) => {
    setCodes(recoveryCodes)
    return client.invalidateQueries({ queryKey: ['account'] })
  }
  const { account, recoveryCodes } = described
  return (
    <Section title={texts.title} note={account.hasTotp ? texts.on(recoveryCodes) : texts.off}>
      {codes !== undefined && (
        <ShownOnce
          note={texts.codes}
          label={texts.codesLabel}
          secret={codes.join('\n')}
          file={texts.file}
          onDone={() => setCodes(undefined)}
        />
      )}
      {account.hasTotp ? (
        <Enabled onCodes={show} onOff={() => setCodes(undefined)} />
      ) : (
        <Off onCodes={show} />
      )}
    </Section>
  )
}

interface CodesProps {
  readonly onCodes: (shown: ShownRecoveryCodes) => unknown
}

function Off({ onCodes }: CodesProps) {
  const begin = useMutation({
    mutationFn: () => askApi<OfferedTotp>('/account/totp', { method: 'POST', json: {} }),
    gcTime: 0,
  })
  if (begin.data !== undefined)
    return <FactorSetup offered={begin.data} onEnabled={onCodes} onClose={() => begin.reset()} />
  return (
    <div className={formStyles.acts}>
      <Button isBusy={begin.isPending} onClick={() => begin.isPending || begin.mutate()}>
        {texts.begin}
      </Button>
      {begin.error !== null && <Problem error={begin.error} />}
    </div>
  )
}

function Enabled({ onCodes, onOff }: CodesProps & { readonly onOff: () => void }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'renew' | 'disable'>()
  const close = () => setAsked(undefined)
  const renew = async () => {
    const shown = await askApi<ShownRecoveryCodes>('/account/recovery-codes', { method: 'POST', json: {} })
    await onCodes(shown)
  }
  const disabled = () => {
    close()
    onOff()
    return client.invalidateQueries({ queryKey: ['account'] })
  }
  return (
    <div className={formStyles.acts}>
      <Button onClick={() => setAsked('renew')}>{texts.renew}</Button>
      <Button onClick={() => setAsked('disable')}>{texts.disable}</Button>
      {asked === 'renew' && (
        <ActDialog
          title={texts.renew}
          explained={texts.renewExplained}
          button={texts.renew}
          act={renew}
          onDone={close}
          onClose={close}
        />
      )}
      {asked === 'disable' && (
        <ActDialog
          title={texts.disable}
          explained={texts.disableExplained}
          button={texts.disable}
          act={() => askApi('/account/totp', { method: 'DELETE' })}
          onDone={disabled}
          onClose={close}
        />
      )}
    </div>
  )
}
