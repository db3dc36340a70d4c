import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { appPath, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import type { Deploy } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import styles from './site.module.css'

const { kept: TEXTS } = SITE_TEXTS

interface KeptVersionsProps {
  readonly slug: string
  readonly kept: number
  readonly deploys: readonly Deploy[] | undefined
  readonly isOwner: boolean
}

/** Those that go when so many are kept: the oldest, beside the live one, which stays and counts. */
function lostVersions(deploys: readonly Deploy[], kept: number): readonly number[] {
  const others = deploys.flatMap(({ version, isLive }) => (isLive ? [] : version))
  return others.slice(others.length < deploys.length ? kept - 1 : kept)
}

/** How many versions one can go back to. */
export function KeptVersions({ slug, kept, deploys = [], isOwner }: KeptVersionsProps) {
  const confirmed = useConfirmed()
  const refresh = useRefreshApps()
  const [typed, setTyped] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  const keep = (most: number) => askApi(`${appPath(slug)}/site`, { method: 'PATCH', json: { kept: most } })
  const done = async () => {
    await refresh()
    setTyped(undefined)
    setIsAsked(false)
  }
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: (most: number) => confirmed(() => keep(most)),
    onSuccess: done,
  })
  if (!isOwner)
    return (
      <Section title={TEXTS.title}>
        <p className={styles.dim}>{TEXTS.only(kept)}</p>
      </Section>
    )
  const text = typed ?? String(kept)
  const wanted = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0
  const isGood = wanted >= 1 && wanted <= 100
  const lost = isGood ? lostVersions(deploys, wanted) : []
  return (
    <Section title={TEXTS.title}>
      <form
        className={formStyles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isGood || isPending) return
          if (lost.length > 0) setIsAsked(true)
          else mutate(wanted)
        }}
      >
        <Field
          name="kept"
          label={TEXTS.label}
          hint={TEXTS.hint}
          problem={isGood ? undefined : TEXTS.problem}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            reset()
          }}
        />
        {lost.length > 0 && <p className={styles.warning}>{TEXTS.lost(lost)}</p>}
        <ReadProblem error={error} />
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending} disabled={!isGood || wanted === kept}>
            {TEXTS.button}
          </Button>
          <p role="status" className={styles.dim}>
            {isSuccess && typed === undefined && TEXTS.saved}
          </p>
        </div>
      </form>
      {isAsked && (
        <ActDialog
          title={TEXTS.keep(wanted)}
          explained={TEXTS.lost(lost)}
          button={TEXTS.delete(lost.length)}
          act={() => keep(wanted)}
          onDone={done}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Section>
  )
}
