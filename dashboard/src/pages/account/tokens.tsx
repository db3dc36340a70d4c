import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { Mark } from '../../components/mark.tsx'
import { Section } from '../../components/page.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table, TableActs } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { type ListedToken, TokenForm } from './token-form.tsx'

const texts = ACCOUNT_TEXTS.tokens
const KEY = ['account', 'tokens'] as const

/** What programs may do in the account without a session. */
export function Tokens({ isOperator }: { readonly isOperator: boolean }) {
  const client = useQueryClient()
  const [ending, setEnding] = useState<ListedToken>()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ListedToken[]>('/account/tokens', { signal }),
  })
  const renew = () => client.invalidateQueries({ queryKey: KEY })
  const close = () => setEnding(undefined)
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadState query={query} reading={texts.reading} />
      {query.data?.length === 0 && <p>{texts.none}</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <Table
          label={texts.title}
          columns={texts.columns}
          plain={['acts']}
          rows={query.data}
          keyOf={({ id }) => id}
          cells={(token) => ({
            name: (
              <>
                <Value text={token.name} /> {hasEnded(token) && <Mark>{texts.ended}</Mark>}
              </>
            ),
            permissions: token.permissions.join(', '),
            used: <Time at={token.lastUsedAt} />,
            ends: <Time at={token.expiresAt} />,
            acts: (
              <TableActs>
                <Button aria-label={texts.endOf(token.name)} onClick={() => setEnding(token)}>
                  {texts.end}
                </Button>
              </TableActs>
            ),
          })}
        />
      )}
      <TokenForm isOperator={isOperator} onMade={renew} />
      {ending !== undefined && (
        <ActDialog
          title={texts.endTitle}
          explained={texts.endExplained(ending.name)}
          button={texts.endTitle}
          act={() => askApi(`/account/tokens/${ending.id}`, { method: 'DELETE' })}
          onDone={() => {
            close()
            return renew()
          }}
          onClose={close}
        />
      )}
    </Section>
  )
}

function hasEnded({ expiresAt }: ListedToken): boolean {
  return Date.parse(expiresAt) <= Date.now()
}
