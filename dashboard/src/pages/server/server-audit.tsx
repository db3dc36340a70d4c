import { AuditTrail } from '../../components/audit-trail.tsx'
import { Section } from '../../components/page.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'

const { title, note } = SERVER_TEXTS.audit
const FILTERS = ['actor', 'action', 'subject', 'address', 'app'] as const

/** What was changed on the server: by whom, from where, when. */
export function ServerAudit() {
  return (
    <Section title={title} note={note} isWide>
      <AuditTrail path="/server/audit" queryKey={['server']} filters={FILTERS} />
    </Section>
  )
}
