import type { FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, askApi } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Field, PasswordField } from '../components/field.tsx'
import { ForgottenPassword } from '../components/forgotten-password.tsx'
import formStyles from '../components/form.module.css'
import { NarrowPage } from '../components/narrow-page.tsx'
import { Problem } from '../components/problem.tsx'
import { ProviderWayIn } from '../components/provider-way-in.tsx'
import { Stopped, Waiting } from '../components/waiting.tsx'
import { type NewAccount, useSessionStore } from '../session.ts'
import { localTime, TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import { useRead } from '../use-read.ts'
import type { SignInState } from './sign-in.tsx'

type LinkKind = 'setup' | 'invite' | 'reset'

/** What the server says of a link. */
interface InspectedLink {
  readonly purpose: LinkKind
  readonly email?: string
  readonly until: string
}

interface LinkPageProps {
  /** By the address; the server has the last word. */
  readonly kind: LinkKind
  readonly secret: string
}

/** What the secret of a link is good for: an account, or another password. */
export function LinkPage({ kind, secret }: LinkPageProps) {
  return secret === '' ? <UnusableLink kind={kind} /> : <InspectedLinkPage kind={kind} secret={secret} />
}

function InspectedLinkPage({ kind, secret }: LinkPageProps) {
  const {
    data: link,
    error,
    isStopped,
    stop,
    again,
  } = useRead(secret, (signal) =>
    askApi<InspectedLink>('/link', { method: 'POST', json: { secret }, signal }),
  )
  if (error !== undefined && isRefused(error)) return <UnusableLink kind={kind} error={error} />
  if (error !== undefined) return <Problem error={error} onAgain={again} isPage />
  if (link === undefined)
    return (
      <NarrowPage title={TEXTS.link.title}>
        {isStopped ? <Stopped onAgain={again} /> : <Waiting reading={TEXTS.link.reading} onStop={stop} />}
      </NarrowPage>
    )
  return link.purpose === 'reset' ? (
    <ResetForm secret={secret} link={link} />
  ) : (
    <AccountForm secret={secret} link={link} />
  )
}

function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

function UnusableLink({ kind, error }: { readonly kind: LinkKind; readonly error?: Error }) {
  return (
    <NarrowPage title={TEXTS.link.unusable}>
      {error === undefined ? <p>{TEXTS.link.missing}</p> : <Problem error={error} />}
      {kind === 'reset' ? <ForgottenPassword /> : <Command of={kind} />}
      <Link href="/sign-in">{TEXTS.toSignIn}</Link>
    </NarrowPage>
  )
}

/** By which whoever runs the server makes another link. */
function Command({ of }: { readonly of: Exclude<LinkKind, 'reset'> }) {
  return (
    <p className={formStyles.note}>
      {TEXTS.link.commands}
      <br />
      <code>{TEXTS.link.command[of]}</code>
    </p>
  )
}

interface FormProps {
  readonly secret: string
  readonly link: InspectedLink
}

function AccountForm({ secret, link: { purpose, email, until } }: FormProps) {
  const [, navigate] = useLocation()
  const session = useSessionStore()
  const { run, error, isPending } = useAction(async (given: NewAccount) => {
    await session.createAccount(given)
    navigate('/apps', { replace: true })
  })
  const texts = purpose === 'setup' ? TEXTS.setup : TEXTS.invite
  const explained = purpose === 'setup' ? TEXTS.setup.explained : TEXTS.invite.explained(email)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<Typed, string>
    run({ secret, ...typed })
  }
  return (
    <NarrowPage title={texts.title}>
      <p>{explained}</p>
      <form className={formStyles.form} onSubmit={submit}>
        <Field
          name="email"
          label={TEXTS.email}
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          readOnly={email !== undefined}
          autoFocus={email === undefined}
        />
        <Field name="name" label={TEXTS.name} autoComplete="name" required autoFocus={email !== undefined} />
        <PasswordField
          name="password"
          label={TEXTS.password}
          hint={TEXTS.passwordHint}
          autoComplete="new-password"
          required
        />
        {error !== null && <Problem error={error} />}
        <Button look="main" type="submit" isBusy={isPending}>
          {texts.button}
        </Button>
      </form>
      <ProviderWayIn purpose="link" secret={secret} to="/apps" />
      <p className={formStyles.note}>{TEXTS.link.until(localTime(until))}</p>
    </NarrowPage>
  )
}

type Typed = 'email' | 'name' | 'password'

function ResetForm({ secret, link: { email = '', until } }: FormProps) {
  const [, navigate] = useLocation()
  const session = useSessionStore()
  const { run, error, isPending } = useAction(async (password: string) => {
    await askApi('/account/password-reset', { method: 'POST', json: { secret, password } })
    // Whoever is signed in may have been that account.
    await session.load()
    navigate('/sign-in', { replace: true, state: { email } satisfies SignInState })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <NarrowPage title={TEXTS.reset.title}>
      <p>{TEXTS.reset.explained(email)}</p>
      <form className={formStyles.form} onSubmit={submit}>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <PasswordField
          name="password"
          label={TEXTS.newPassword}
          hint={TEXTS.passwordHint}
          autoComplete="new-password"
          required
          autoFocus
        />
        {error !== null && <Problem error={error} />}
        <Button look="main" type="submit" isBusy={isPending}>
          {TEXTS.reset.button}
        </Button>
      </form>
      <p className={formStyles.note}>{TEXTS.link.until(localTime(until))}</p>
    </NarrowPage>
  )
}
