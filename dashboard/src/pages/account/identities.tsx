import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ActProblem } from '../../components/act-problem.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table, TableActs } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { goToProvider } from '../../provider.ts'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import type { WaysIn } from '../../ways-in.ts'

interface ListedIdentity {
  readonly id: string
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

const texts = ACCOUNT_TEXTS.identities
const KEY = ['account', 'identities'] as const

/** Who the account is at OpenID providers; where there is none, and never was, nothing is said of it. */
export function Identities() {
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ListedIdentity[]>('/account/identities', { signal }),
  })
  const { data } = useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => askApi<WaysIn>('/ways-in', { signal }),
  })
  const provider = data?.oidc?.name
  if (provider === undefined && !query.data?.length) return null
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadState query={query} reading={texts.reading} />
      {query.data?.length === 0 && <p>{texts.none}</p>}
      {query.data !== undefined && query.data.length > 0 && <IdentityTable identities={query.data} />}
      {provider !== undefined && <Connect provider={provider} />}
    </Section>
  )
}

function IdentityTable({ identities }: { readonly identities: readonly ListedIdentity[] }) {
  const client = useQueryClient()
  const [ending, setEnding] = useState<ListedIdentity>()
  const close = () => setEnding(undefined)
  return (
    <>
      <Table
        label={texts.title}
        columns={texts.columns}
        plain={['acts']}
        rows={identities}
        keyOf={({ id }) => id}
        cells={(identity) => ({
          who: <Value text={whoOf(identity)} />,
          provider: <Value text={hostOf(identity)} />,
          since: <Time at={identity.createdAt} />,
          used: <Time at={identity.lastUsedAt} />,
          acts: (
            <TableActs>
              <Button aria-label={texts.endOf(whoOf(identity))} onClick={() => setEnding(identity)}>
                {texts.end}
              </Button>
            </TableActs>
          ),
        })}
      />
      {ending !== undefined && (
        <ActDialog
          title={texts.endTitle}
          explained={texts.endExplained(whoOf(ending), hostOf(ending))}
          button={texts.endTitle}
          act={() => askApi(`/account/identities/${ending.id}`, { method: 'DELETE' })}
          onDone={() => {
            close()
            // With it goes a way in, and other sessions.
            return client.invalidateQueries({ queryKey: ['account'] })
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function Connect({ provider }: { readonly provider: string }) {
  const confirmed = useConfirmed()
  const connect = useMutation({
    mutationFn: () => confirmed(() => goToProvider({ purpose: 'connect', to: '/account' })),
  })
  return (
    <>
      <ActProblem act={connect} />
      <div className={formStyles.acts}>
        <Button isBusy={connect.isPending} onClick={() => connect.isPending || connect.mutate()}>
          <span>
            {texts.connect} <Value text={provider} />
          </span>
        </Button>
      </div>
    </>
  )
}

/** By its address where the provider told it; who it is there is not always a word. */
function whoOf({ email, subject }: ListedIdentity): string {
  return email === '' ? subject : email
}

function hostOf({ issuer }: ListedIdentity): string {
  return URL.parse(issuer)?.host ?? issuer
}
