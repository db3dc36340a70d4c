import { Page } from '../components/page.tsx'
import { useSession } from '../session.ts'
import { SERVER_TEXTS } from '../texts/server.ts'
import { Accounts } from './server/accounts.tsx'
import { Alerts } from './server/alerts.tsx'
import { Backups } from './server/backups.tsx'
import { DefaultQuota } from './server/default-quota.tsx'
import { Invitation } from './server/invitation.tsx'
import { ServerAudit } from './server/server-audit.tsx'
import { ServerFacts } from './server/server-facts.tsx'
import { TokenSecrets } from './server/token-secrets.tsx'

/** The accounts of the server, how it is, and what was done on it, for operators. */
export default function ServerPage() {
  const { account } = useSession()
  return (
    <Page title={SERVER_TEXTS.title}>
      {account?.isOperator ? (
        <>
          <Alerts />
          <Accounts ownId={account.id} />
          <Invitation />
          <DefaultQuota />
          <ServerFacts />
          <TokenSecrets />
          <Backups />
          <ServerAudit />
        </>
      ) : (
        <p>{SERVER_TEXTS.forOperators}</p>
      )}
    </Page>
  )
}
