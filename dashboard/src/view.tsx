import { useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { FailedPage } from './components/failed-page.tsx'
import { Problem } from './components/problem.tsx'
import { Waiting } from './components/waiting.tsx'
import { takeLinkSecret } from './link-secret.ts'
import { loaded } from './loaded.tsx'
import { LinkPage } from './pages/link.tsx'
import { ProviderPage } from './pages/provider.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import type { ProviderAnswer } from './provider.ts'
import { useSession, useSessionStore } from './session.ts'
import { TEXTS } from './texts.ts'

const loadSignedIn = () => import('./signed-in.tsx')
const ForgotPage = loaded(
  () => import('./pages/forgot.tsx'),
  () => <Waiting reading={TEXTS.reading} />,
)
const SignedIn = loaded(loadSignedIn, () => <Waiting reading={TEXTS.reading} />)

interface ViewProps {
  /** Of a link. */
  readonly secret: string
  /** Of an OpenID provider. */
  readonly answer: ProviderAnswer | undefined
}

/** Shows what the address says: here what needs no session, all else in `SignedIn`. */
export function View({ secret: first, answer }: ViewProps) {
  const secret = useLinkSecret(first)
  const [path] = useLocation()
  return (
    <ErrorBoundary path={path} fallback={(error) => <FailedPage error={error} />}>
      <Switch>
        <Route path="/sign-in">
          <SignInPage onTyping={loadSignedIn} />
        </Route>
        <Route path="/oidc">
          <ProviderPage answer={answer} />
        </Route>
        <Route path="/forgot">
          <ForgotPage />
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
        <Route>
          <ForSignedIn />
        </Route>
      </Switch>
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
function ForSignedIn() {
  const { account, error } = useSession()
  const session = useSessionStore()
  if (error !== undefined) return <Problem error={error} onAgain={() => session.load()} isPage />
  if (account === undefined) return <Waiting reading={TEXTS.reading} />
  if (account === null) return <Redirect to={`/sign-in?next=${encodeURIComponent(shownAddress())}`} replace />
  return <SignedIn key={account.id} />
}

/** The address of the page as the browser has it, behind `/_`. */
function shownAddress(): string {
  return location.pathname.slice('/_'.length) + location.search
}
