import { Link } from 'wouter'
import { TEXTS } from '../texts.ts'
import { useWaysIn } from '../ways-in.ts'
import formStyles from './form.module.css'

/** Where to go on without the password: to a link by mail, or to whoever runs the server. */
export function ForgottenPassword() {
  const waysIn = useWaysIn()
  if (waysIn === undefined) return null
  if (waysIn.mail) return <Link href="/forgot">{TEXTS.forgot.link}</Link>
  return (
    <p className={formStyles.note}>
      {TEXTS.signIn.forgotten}
      <br />
      <code>{TEXTS.signIn.forgottenCommand}</code>
    </p>
  )
}
