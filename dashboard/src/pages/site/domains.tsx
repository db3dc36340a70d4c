import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { askApi } from '../../api.ts'
import { type App, appPath, useRefreshApps } from '../../apps-data.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import type { Site } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { Domain } from './domain.tsx'
import styles from './site.module.css'

const { domains: TEXTS } = SITE_TEXTS

interface DomainsProps {
  readonly app: App
  readonly site: Site
}

/** Names of one's own, under which the site is served as well. */
export function Domains({ app: { slug, role }, site: { url, domains } }: DomainsProps) {
  const isOwner = role === 'owner'
  return (
    <Section title={TEXTS.title}>
      <p className={styles.dim}>{TEXTS.explained}</p>
      {domains.length === 0 && <p className={styles.dim}>{TEXTS.none}</p>}
      {domains.length > 0 && (
        <ul className={styles.domains}>
          {domains.map((domain) => (
            <Domain key={domain.domain} slug={slug} siteUrl={url} domain={domain} isOwner={isOwner} />
          ))}
        </ul>
      )}
      {isOwner ? <NewDomain slug={slug} /> : <p className={styles.dim}>{TEXTS.onlyOwner}</p>}
    </Section>
  )
}

/** The name in what was typed, which may be an address copied from a browser. */
function nameIn(typed: string): string {
  const text = typed.trim()
  return /^https?:\/\//i.test(text) ? (URL.parse(text)?.hostname ?? text) : text
}

function NewDomain({ slug }: { readonly slug: string }) {
  const confirmed = useConfirmed()
  const refresh = useRefreshApps()
  const [domain, setDomain] = useState('')
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (wanted: string) =>
      confirmed(() => askApi(`${appPath(slug)}/site/domains`, { method: 'POST', json: { domain: wanted } })),
    onSuccess: async () => {
      await refresh()
      setDomain('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(nameIn(domain))
  }
  return (
    <form className={formStyles.form} onSubmit={submit}>
      <Field
        name="domain"
        label={TEXTS.label}
        hint={TEXTS.hint}
        value={domain}
        onChange={({ currentTarget }) => {
          setDomain(currentTarget.value)
          reset()
        }}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <ReadProblem error={error} />
      <div className={formStyles.acts}>
        <Button type="submit" isBusy={isPending}>
          {TEXTS.button}
        </Button>
      </div>
    </form>
  )
}
