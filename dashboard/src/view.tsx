import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { Problem } from './components/problem.tsx'
import { Waiting } from './components/waiting.tsx'
import { takeLinkSecret } from './link-secret.ts'
import { LinkPage } from './pages/link.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { useSession } from './session.ts'
import { TEXTS } from './texts.ts'

const AppsPage = lazy(() => import('./pages/apps.tsx'))
const SessionEnded = lazy(() => import('./components/session-ended.tsx'))

/** Shows what the address says, by the table of pages. */
export function View({ secret: first }: { readonly secret: string }) {
  const secret = useLinkSecret(first)
  const [path] = useLocation()
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Waiting reading={TEXTS.apps.reading} />}>
        <Switch>
          <Route path="/">
            <Redirect to="/apps" replace />
          </Route>
          <Route path="/sign-in">
            <SignInPage />
          </Route>
          <Route path="/setup">
            <LinkPage key={secret} kind="setup" secret={secret} />
          </Route>
          <Route path="/invite">
            <LinkPage key={secret} kind="invite" secret={secret} />
          </Route>
          <Route path="/reset">
            <LinkPage key={secret} kind="reset" secret={secret} />
          </Route>
          <Route path="/apps">
            <SignedIn>
              <AppsPage />
            </SignedIn>
          </Route>
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}

/** Also of a link that is opened in a tab that shows such a page already, which loads nothing anew. */
function useLinkSecret(first: string): string {
  const [secret, setSecret] = useState(first)
  useEffect(() => {
    const take = () => {
      const taken = takeLinkSecret(window)
      if (taken !== '') setSecret(taken)
    }
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return secret
}

/** What only those see who are signed in; others sign in first, and come back. */
function SignedIn({ children }: { readonly children: ReactNode }) {
  const { data: session, error, refetch } = useSession()
  const [path] = useLocation()
  if (error !== null && session === undefined) return <Problem error={error} onAgain={refetch} isPage />
  if (session === undefined) return <Waiting reading={TEXTS.apps.reading} />
  if (session === null) return <Redirect to={`/sign-in?next=${encodeURIComponent(path)}`} replace />
  return (
    <>
      {children}
      {session.hasEnded && (
        <Suspense>
          <SessionEnded email={session.account.email} />
        </Suspense>
      )}
    </>
  )
}
