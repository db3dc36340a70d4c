import { useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { Page } from '../components/page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Waiting } from '../components/waiting.tsx'
import type { Account } from '../session.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { Profile } from './account/profile.tsx'

interface DescribedAccount {
  readonly account: Account
}

/** Who one is here, and what one signs in by. */
export default function AccountPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => askApi<DescribedAccount>('/account', { signal }),
  })
  return (
    <Page title={ACCOUNT_TEXTS.title}>
      <ReadProblem error={error} onAgain={refetch} />
      {data === undefined && error === null && <Waiting reading={ACCOUNT_TEXTS.reading} />}
      {data !== undefined && <Profile account={data.account} />}
    </Page>
  )
}
