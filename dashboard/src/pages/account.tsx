import { useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { Page } from '../components/page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Waiting } from '../components/waiting.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { AccountActivity } from './account/account-activity.tsx'
import { AccountDeletion } from './account/account-deletion.tsx'
import type { DescribedAccount } from './account/described-account.ts'
import { Identities } from './account/identities.tsx'
import { Keyboard } from './account/keyboard.tsx'
import { OwnQuota } from './account/own-quota.tsx'
import { Passkeys } from './account/passkeys.tsx'
import { Password } from './account/password.tsx'
import { Profile } from './account/profile.tsx'
import { SecondFactor } from './account/second-factor.tsx'
import { Sessions } from './account/sessions.tsx'
import { Tokens } from './account/tokens.tsx'

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
      {data !== undefined && (
        <>
          <Profile account={data.account} />
          <Password account={data.account} waysIn={data.waysIn} />
          <Passkeys />
          <SecondFactor described={data} />
          <Identities />
          <Sessions />
          <Tokens isOperator={data.account.isOperator} />
          <OwnQuota />
          <Keyboard />
          <AccountActivity />
          <AccountDeletion email={data.account.email} />
        </>
      )}
    </Page>
  )
}
