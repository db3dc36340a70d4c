import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Mark } from '../../components/mark.tsx'
import { MoreOfList } from '../../components/more-of-list.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table, TableActs } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import type { Account } from '../../session.ts'
import { QUOTA_TEXTS } from '../../texts/quota.ts'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { useFilters } from '../../use-filters.ts'
import { useSettled } from '../../use-settled.ts'

export interface ListedAccount extends Account {
  readonly hasTotp: boolean
  readonly createdAt: string
}

export type AccountAct = 'quota' | 'disable' | 'ways-in' | 'delete'

interface AccountListProps {
  /** One's own is changed on its own page. */
  readonly ownId: string
  readonly onReset: (account: ListedAccount) => unknown
  readonly onAsk: (act: AccountAct, account: ListedAccount) => void
}

const texts = SERVER_TEXTS.accounts
const SETTLES_MS = 300
/** Accounts that are asked for at a time. */
const PAGE = 20

/** Accounts by their e-mail, some at a time, searched by what stands in the page's address. */
export function AccountList({ ownId, ...acts }: AccountListProps) {
  const { search, of, set } = useFilters(['email'])
  const settled = useSettled(search, SETTLES_MS)
  const query = useInfiniteQuery({
    queryKey: ['server', 'accounts', settled],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams(settled)
      asked.set('l', String(PAGE))
      if (pageParam !== undefined) asked.set('after', pageParam)
      return askApi<ListedAccount[]>(`/server/accounts?${asked}`, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.email),
    placeholderData: keepPreviousData,
  })
  const accounts = query.data?.pages.flat()
  return (
    <>
      <search className={formStyles.form}>
        <Field
          name="email"
          label={texts.search}
          type="search"
          value={of('email')}
          onChange={({ currentTarget: { value } }) => set('email', value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </search>
      <ReadState query={query} reading={texts.reading} />
      {accounts?.length === 0 && <p role="status">{texts.noneFound}</p>}
      {accounts !== undefined && accounts.length > 0 && (
        <Table
          label={texts.title}
          columns={texts.columns}
          plain={['acts']}
          rows={accounts}
          keyOf={({ id }) => id}
          cells={(account) => ({
            email: <Value text={account.email} />,
            name: <Name account={account} isOwn={account.id === ownId} />,
            factor: account.hasTotp ? texts.hasFactor : texts.noFactor,
            made: <Time at={account.createdAt} />,
            acts: account.id === ownId ? null : <Acts account={account} {...acts} />,
          })}
        />
      )}
      <MoreOfList query={query} button={texts.more} />
    </>
  )
}

function Name({ account: { name, isOperator }, isOwn }: { account: ListedAccount; isOwn: boolean }) {
  return (
    <>
      <Value text={name} /> {isOwn && <Mark>{texts.you}</Mark>} {isOperator && <Mark>{texts.operator}</Mark>}
    </>
  )
}

function Acts({ account, onReset, onAsk }: Omit<AccountListProps, 'ownId'> & { account: ListedAccount }) {
  const { email, hasTotp, isOperator } = account
  return (
    <TableActs>
      <Button aria-label={texts.resetOf(email)} onClick={() => onReset(account)}>
        {texts.reset}
      </Button>
      {!isOperator && (
        <Button aria-label={QUOTA_TEXTS.ofOne.buttonOf(email)} onClick={() => onAsk('quota', account)}>
          {QUOTA_TEXTS.ofOne.button}
        </Button>
      )}
      {hasTotp && (
        <Button aria-label={texts.disableOf(email)} onClick={() => onAsk('disable', account)}>
          {texts.disable}
        </Button>
      )}
      <Button aria-label={texts.waysInOf(email)} onClick={() => onAsk('ways-in', account)}>
        {texts.waysIn}
      </Button>
      <Button aria-label={texts.deleteOf(email)} onClick={() => onAsk('delete', account)}>
        {texts.delete}
      </Button>
    </TableActs>
  )
}
