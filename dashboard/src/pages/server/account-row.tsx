import { Button } from '../../components/button.tsx'
import { Row, Time } from '../../components/list.tsx'
import { Value } from '../../components/value.tsx'
import type { Account } from '../../session.ts'
import { SERVER_TEXTS } from '../../texts/server.ts'

export interface ListedAccount extends Account {
  readonly hasTotp: boolean
  readonly createdAt: string
}

interface AccountRowProps {
  readonly account: ListedAccount
  /** One's own is changed on its own page. */
  readonly isOwn: boolean
  readonly onReset: () => unknown
  readonly onAsk: (act: 'disable' | 'delete') => void
}

const texts = SERVER_TEXTS.accounts

export function AccountRow({ account, isOwn, onReset, onAsk }: AccountRowProps) {
  const { name, email, isOperator, hasTotp, createdAt } = account
  const marks = [isOwn && texts.you, isOperator && texts.operator].filter((each) => each !== false)
  const acts = (
    <>
      <Button aria-label={texts.resetOf(email)} onClick={onReset}>
        {texts.reset}
      </Button>
      {hasTotp && (
        <Button aria-label={texts.disableOf(email)} onClick={() => onAsk('disable')}>
          {texts.disable}
        </Button>
      )}
      <Button aria-label={texts.deleteOf(email)} onClick={() => onAsk('delete')}>
        {texts.delete}
      </Button>
    </>
  )
  return (
    <Row
      name={<Value text={name} />}
      mark={marks.length === 0 ? undefined : marks.join(', ')}
      acts={isOwn ? undefined : acts}
    >
      <p>
        <Value text={email} /> · {texts.made} <Time at={createdAt} />
        {hasTotp && ` · ${texts.factor}`}
      </p>
    </Row>
  )
}
