import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { Row, Time } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Value } from '../../components/value.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { type ListedToken, TokenForm } from './token-form.tsx'

const texts = ACCOUNT_TEXTS.tokens
const KEY = ['account', 'tokens'] as const

/** What programs may do in the account without a session. */
export function Tokens({ isOperator }: { readonly isOperator: boolean }) {
  const client = useQueryClient()
  const [ending, setEnding] = useState<ListedToken>()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ListedToken[]>('/account/tokens', { signal }),
  })
  const renew = () => client.invalidateQueries({ queryKey: KEY })
  const close = () => setEnding(undefined)
  return (
    <Section title={texts.title} note={texts.note}>
      <ReadProblem error={error} onAgain={refetch} />
      {data === undefined && error === null && <Waiting reading={texts.reading} />}
      {data?.length === 0 && <p>{texts.none}</p>}
      <ul>
        {data?.map((token) => (
          <TokenRow key={token.id} token={token} onEnd={() => setEnding(token)} />
        ))}
      </ul>
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

function TokenRow({ token, onEnd }: { readonly token: ListedToken; readonly onEnd: () => void }) {
  const { name, permissions, expiresAt, lastUsedAt } = token
  return (
    <Row
      name={<Value text={name} />}
      mark={Date.parse(expiresAt) <= Date.now() ? texts.ended : undefined}
      acts={
        <Button aria-label={texts.endOf(name)} onClick={onEnd}>
          {texts.end}
        </Button>
      }
    >
      <p>
        {permissions.join(', ')} · {texts.until} <Time at={expiresAt} /> · {texts.used}{' '}
        <Time at={lastUsedAt} />
      </p>
    </Row>
  )
}
