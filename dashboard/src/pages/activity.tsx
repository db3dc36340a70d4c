import { appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { AuditTrail } from '../components/audit-trail.tsx'
import { ACTIVITY_TEXTS } from '../texts/settings.ts'
import styles from './activity.module.css'

const FILTERS = {
  editor: ['actor', 'action', 'subject'],
  owner: ['actor', 'action', 'subject', 'address'],
} as const

export default function ActivityPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="activity">
      {({ role }) => (
        <>
          <h1>{ACTIVITY_TEXTS.title}</h1>
          {role === 'viewer' ? (
            <p>{ACTIVITY_TEXTS.onlyEditors}</p>
          ) : (
            <>
              <p className={styles.dim}>{ACTIVITY_TEXTS.explained}</p>
              <AuditTrail path={`${appPath(slug)}/audit`} queryKey={['apps', slug]} filters={FILTERS[role]} />
            </>
          )}
        </>
      )}
    </AppPage>
  )
}
