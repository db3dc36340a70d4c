import { useState } from 'react'
import { Redirect } from 'wouter'
import { ForgottenPassword } from '../components/forgotten-password.tsx'
import { NarrowPage } from '../components/narrow-page.tsx'
import { OtherWaysIn } from '../components/other-ways-in.tsx'
import { SignInForm } from '../components/sign-in-form.tsx'
import { useSession } from '../session.ts'
import { TEXTS } from '../texts.ts'

/** What another page leaves for this one in the entry of the history, where nobody else sees it. */
export interface SignInState {
  readonly email?: string
}

/** @param onTyping called when somebody begins, so that what comes next can be loaded meanwhile */
export function SignInPage({ onTyping }: { readonly onTyping: () => unknown }) {
  const { account, hasEnded } = useSession()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const [changed] = useState(() => (history.state as SignInState | null)?.email)
  const next = new URLSearchParams(location.search).get('next')
  if (account && !hasEnded) return <Redirect to={pathIn(next)} replace />
  return (
    <NarrowPage title={isCodeAsked ? TEXTS.signIn.codeTitle : TEXTS.signIn.title}>
      {changed !== undefined && <p role="status">{TEXTS.signIn.changed}</p>}
      <div onInput={onTyping}>
        <SignInForm email={changed} onCodeAsked={setIsCodeAsked} />
      </div>
      {!isCodeAsked && <OtherWaysIn to={pathIn(next)} />}
      <ForgottenPassword />
    </NarrowPage>
  )
}

/** The page of the dashboard to go on to; the router would decode its address once too often. */
export function pathIn(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/apps'
}
