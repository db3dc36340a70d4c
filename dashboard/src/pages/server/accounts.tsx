import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ActProblem } from '../../components/act-problem.tsx'
import { DeleteAccountDialog } from '../../components/delete-account-dialog.tsx'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { localTime } from '../../texts.ts'
import { type AccountAct, AccountList, type ListedAccount } from './account-list.tsx'
import { AccountQuota } from './account-quota.tsx'

const texts = SERVER_TEXTS.accounts
const KEY = ['server'] as const

/** All accounts, and what an operator does for those who can't get in, or are to go. */
export function Accounts({ ownId }: { readonly ownId: string }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ act: AccountAct; account: ListedAccount }>()
  const [made, setMade] = useState<ResetLink>()
  const reset = useResetLink(setMade)
  const close = () => setAsked(undefined)
  const done = () => {
    close()
    return client.invalidateQueries({ queryKey: KEY })
  }
  return (
    <Section title={texts.title} isWide>
      {made !== undefined && (
        <ShownOnce
          note={texts.resetMade(made.email, localTime(made.until))}
          label={texts.resetLabel}
          secret={made.link}
          onDone={() => setMade(undefined)}
        />
      )}
      <ActProblem act={reset} />
      <AccountList
        ownId={ownId}
        onReset={(account) => reset.isPending || reset.mutate(account)}
        onAsk={(act, account) => setAsked({ act, account })}
      />
      {asked?.act === 'quota' && <AccountQuota account={asked.account} onClose={close} />}
      {asked?.act === 'disable' && (
        <ActDialog
          title={texts.disable}
          explained={texts.disableExplained(asked.account.email)}
          button={texts.disable}
          act={() => askApi(`/server/accounts/${asked.account.id}/totp`, { method: 'DELETE' })}
          onDone={done}
          onClose={close}
        />
      )}
      {asked?.act === 'ways-in' && (
        <ActDialog
          title={texts.waysIn}
          explained={texts.waysInExplained(asked.account.email)}
          button={texts.waysIn}
          act={() => askApi<MadeLink>(`/server/accounts/${asked.account.id}/ways-in`, { method: 'DELETE' })}
          onDone={(link) => {
            setMade({ ...link, email: asked.account.email })
            return done()
          }}
          onClose={close}
        />
      )}
      {asked?.act === 'delete' && (
        <DeleteAccountDialog
          path={`/server/accounts/${asked.account.id}`}
          email={asked.account.email}
          onDone={done}
          onClose={close}
        />
      )}
    </Section>
  )
}

interface MadeLink {
  readonly link: string
  readonly until: string
}

interface ResetLink extends MadeLink {
  readonly email: string
}

function useResetLink(onMade: (made: ResetLink) => void) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  return useMutation({
    mutationFn: async ({ id, email }: ListedAccount) => {
      const path = `/server/accounts/${id}/password-reset`
      const made = await confirmed(() => askApi<MadeLink>(path, { method: 'POST', json: {} }))
      return { ...made, email }
    },
    onSuccess: (made) => {
      onMade(made)
      return client.invalidateQueries({ queryKey: KEY })
    },
    gcTime: 0,
  })
}
