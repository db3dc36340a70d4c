import { AuditTrail } from '../../components/audit-trail.tsx'
import { Section } from '../../components/page.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'

const { title, note } = ACCOUNT_TEXTS.activity
const FILTERS = ['action', 'subject', 'address'] as const

/** What the account did, and from where it was signed in to. */
export function AccountActivity() {
  return (
    <Section title={title} note={note} isWide>
      <AuditTrail path="/account/audit" queryKey={['account']} filters={FILTERS} />
    </Section>
  )
}
