import { Link, Redirect } from 'wouter'
import type { ConfirmedState } from '../components/confirmed-note.tsx'
import { NarrowPage } from '../components/narrow-page.tsx'
import { Problem } from '../components/problem.tsx'
import { Waiting } from '../components/waiting.tsx'
import type { ProviderAnswer } from '../provider.ts'
import { useSession, useSessionStore } from '../session.ts'
import { TEXTS } from '../texts.ts'
import { useRead } from '../use-read.ts'
import { pathIn } from './sign-in.tsx'

/** Where the OpenID provider sends the browser back to. */
export function ProviderPage({ answer }: { readonly answer: ProviderAnswer | undefined }) {
  const { account, error } = useSession()
  const session = useSessionStore()
  if (answer === undefined) return <Redirect to="/sign-in" replace />
  if (error !== undefined) return <Problem error={error} onAgain={() => session.load()} isPage />
  // What is known of the session before must not come after what is known of it then.
  return account === undefined ? <Asking /> : <AnsweredPage answer={answer} isSignedIn={account !== null} />
}

interface AnsweredPageProps {
  readonly answer: ProviderAnswer
  readonly isSignedIn: boolean
}

function AnsweredPage({ answer, isSignedIn }: AnsweredPageProps) {
  const session = useSessionStore()
  const { data, error } = useRead(answer.state, () => session.finishAtProvider(answer))
  if (data !== undefined) {
    const state: ConfirmedState | null = data.purpose === 'confirm' ? { confirmedAt: Date.now() } : null
    return <Redirect to={pathIn(data.to ?? null)} replace state={state} />
  }
  if (error === undefined) return <Asking />
  return (
    <NarrowPage title={isSignedIn ? TEXTS.failed.answered : TEXTS.provider.failed}>
      <Problem error={error} />
      {isSignedIn ? (
        <Link href="/account">{TEXTS.account.page}</Link>
      ) : (
        <Link href="/sign-in">{TEXTS.toSignIn}</Link>
      )}
    </NarrowPage>
  )
}

function Asking() {
  return (
    <NarrowPage title={TEXTS.signIn.title}>
      <Waiting reading={TEXTS.provider.reading} />
    </NarrowPage>
  )
}
