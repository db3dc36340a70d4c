import { isNotLoaded } from '../not-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import { NarrowPage } from './narrow-page.tsx'

/** What shows instead of a page that has failed, or that could not be loaded. */
export function FailedPage({ error }: { readonly error: Error }) {
  if (!isNotLoaded(error))
    return (
      <NarrowPage title={TEXTS.failed.title}>
        <p>{TEXTS.failed.explained}</p>
        <a href="/_/apps">{TEXTS.toApps}</a>
      </NarrowPage>
    )
  const { title, explained, button } = TEXTS.notLoaded
  return (
    <NarrowPage title={title}>
      <p>{explained}</p>
      <Button look="main" onClick={() => location.reload()}>
        {button}
      </Button>
    </NarrowPage>
  )
}
