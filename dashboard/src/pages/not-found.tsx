import { Link } from 'wouter'
import { NarrowPage } from '../components/narrow-page.tsx'
import { TEXTS } from '../texts.ts'

export function NotFoundPage() {
  return (
    <NarrowPage title={TEXTS.notFound.title}>
      <p>{TEXTS.notFound.explained}</p>
      <Link href="/apps">{TEXTS.toApps}</Link>
    </NarrowPage>
  )
}
