import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { PasswordRequired } from './components/password-required.tsx'
import { ServerAway } from './components/server-away.tsx'
import { SessionEnded } from './components/session-ended.tsx'
import { Waiting } from './components/waiting.tsx'
import { AppsPage } from './pages/apps.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { createQueryClient } from './query-client.ts'
import { useSession, useSessionStore } from './session.ts'
import { TEXTS } from './texts.ts'

const KeysPage = lazy(() => import('./pages/keys.tsx'))
const NewKeyPage = lazy(() => import('./pages/new-key.tsx'))
const KeyPage = lazy(() => import('./pages/key.tsx'))
const ActivityPage = lazy(() => import('./pages/activity.tsx'))
const SettingsPage = lazy(() => import('./pages/settings.tsx'))
const AccountPage = lazy(() => import('./pages/account.tsx'))
const ServerPage = lazy(() => import('./pages/server.tsx'))

/** The pages of one account, with what was read for it and for nobody else. */
export default function SignedIn() {
  const session = useSessionStore()
  const { account, hasEnded = false } = useSession()
  const [client] = useState(() => createQueryClient(session))
  useEffect(() => {
    if (!hasEnded) void client.invalidateQueries()
  }, [client, hasEnded])
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <ServerAway />
        <PasswordRequired email={account?.email ?? ''}>
          <Suspense fallback={<Waiting reading={TEXTS.reading} />}>
            <Switch>
              <Route path="/">
                <Redirect to="/apps" replace />
              </Route>
              <Route path="/apps">
                <AppsPage />
              </Route>
              <Route path="/apps/:app">{({ app }) => <OverviewPage slug={app} />}</Route>
              <Route path="/apps/:app/keys">{({ app }) => <KeysPage slug={app} />}</Route>
              <Route path="/apps/:app/keys/new">{({ app }) => <NewKeyPage slug={app} />}</Route>
              <Route path="/apps/:app/keys/:key">
                {({ app, key }) => <KeyPage key={key} slug={app} id={key} />}
              </Route>
              <Route path="/apps/:app/activity">{({ app }) => <ActivityPage slug={app} />}</Route>
              <Route path="/apps/:app/settings">{({ app }) => <SettingsPage slug={app} />}</Route>
              <Route path="/account">
                <AccountPage />
              </Route>
              <Route path="/server">
                <ServerPage />
              </Route>
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
          </Suspense>
        </PasswordRequired>
        {hasEnded && account && <SessionEnded email={account.email} />}
      </QueryClientProvider>
    </CSPProvider>
  )
}
