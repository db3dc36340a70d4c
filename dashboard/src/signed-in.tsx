import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { ConfirmedNote } from './components/confirmed-note.tsx'
import { Palette } from './components/palette.tsx'
import { PasswordRequired } from './components/password-required.tsx'
import { ServerAway } from './components/server-away.tsx'
import { ServerWarnings } from './components/server-warnings.tsx'
import { SessionEnded } from './components/session-ended.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { usePrefetch } from './prefetch.ts'
import { createQueryClient } from './query-client.ts'
import { PAGE_ROUTES, type PageParams } from './routes.tsx'
import { useSession, useSessionStore } from './session.ts'

/** The pages of one account, with what was read for it and for nobody else. */
export default function SignedIn() {
  const session = useSessionStore()
  const { account, hasEnded = false } = useSession()
  const [client] = useState(() => createQueryClient(session))
  useEffect(() => {
    if (!hasEnded) void client.invalidateQueries()
  }, [client, hasEnded])
  usePrefetch(client)
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <ServerAway />
        <ServerWarnings />
        <ConfirmedNote />
        <PasswordRequired email={account?.email ?? ''}>
          <Palette>
            <Switch>
              <Route path="/">
                <Redirect to="/apps" replace />
              </Route>
              {PAGE_ROUTES.map(({ path, Page }) => (
                <Route key={path} path={path}>
                  {(params: Partial<PageParams>) => <Page key={params.id} {...(params as PageParams)} />}
                </Route>
              ))}
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
          </Palette>
        </PasswordRequired>
        {hasEnded && account && <SessionEnded email={account.email} />}
      </QueryClientProvider>
    </CSPProvider>
  )
}
