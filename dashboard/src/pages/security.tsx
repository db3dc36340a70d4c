import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { askApi } from '../api.ts'
import {
  type AppSettings,
  damagedSettings,
  type SettingName,
  type TypedSettings,
  typedSettings,
  useAppSettings,
  writtenSettings,
} from '../app-settings.ts'
import { type App, appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { EndTokens } from '../components/end-tokens.tsx'
import { Field } from '../components/field.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { ReadState } from '../components/read-state.tsx'
import { Choice, Lines, RulesFields } from '../components/rules-fields.tsx'
import { SettingsForm } from '../components/settings-form.tsx'
import { Value } from '../components/value.tsx'
import { SECURITY_TEXTS as TEXTS } from '../texts/security.ts'
import { useSettled } from '../use-settled.ts'
import styles from './security.module.css'

const SETTLES_MS = 300

export default function SecurityPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="security">
      {(app) => (
        <>
          <h1>{TEXTS.title}</h1>
          <p className={styles.dim}>{TEXTS.explained}</p>
          <Settings app={app} />
        </>
      )}
    </AppPage>
  )
}

function Settings({ app: { slug, role } }: { readonly app: App }) {
  const query = useAppSettings(slug)
  if (query.data === undefined) return <ReadState query={query} reading={TEXTS.reading} />
  if (role === 'owner') return <OwnSettings slug={slug} settings={query.data} />
  return (
    <>
      <Told sentence={query.data.sentence} />
      <p>{TEXTS.onlyLook}</p>
    </>
  )
}

interface OwnSettingsProps {
  readonly slug: string
  readonly settings: AppSettings
}

function OwnSettings({ slug, settings }: OwnSettingsProps) {
  /** What is typed and not saved: all else follows the server, where somebody else may change it meanwhile. */
  const [edits, setEdits] = useState<Partial<TypedSettings>>({})
  const stored = useMemo(() => typedSettings(settings), [settings])
  const typed = useMemo(() => ({ ...stored, ...edits }), [stored, edits])
  const names = Object.keys(stored) as SettingName[]
  const changed = names.filter((name) => JSON.stringify(typed[name]) !== JSON.stringify(stored[name]))
  const damaged = damagedSettings(settings)
  const unchosen = damaged.filter((name) => edits[name] === undefined)
  const set = (change: Partial<TypedSettings>) => setEdits({ ...edits, ...change })
  const forget = (which: readonly SettingName[]) =>
    setEdits((current) =>
      Object.fromEntries(Object.entries(current).filter(([name]) => !which.includes(name as SettingName))),
    )
  const part = (title: string, shown: readonly SettingName[]) => ({
    ...{ slug, title, typed, damaged, unchosen },
    changed: changed.filter((name) => shown.includes(name)),
    asked: damaged.filter((name) => shown.includes(name)),
    onChoose: (name: SettingName, isChosen: boolean) =>
      isChosen ? set({ [name]: typed[name] }) : forget([name]),
    onSaved: forget,
  })
  const line = (name: 'rate' | 'documentBytes', label: string, hint: string) => (
    <Field
      name={name}
      label={label}
      hint={hint}
      value={typed[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
  const { websites, addresses, rate, size, defaults, tokens } = TEXTS
  const all = [...new Set([...changed, ...damaged])].filter((name) => !unchosen.includes(name))
  const { told, error } = useSummary({ slug, settings, json: JSON.stringify(writtenSettings(typed, all)) })
  return (
    <>
      <Told sentence={told.sentence} error={error} />
      {settings.damaged !== undefined && (
        <p className={styles.warning} role="alert">
          {TEXTS.damaged(settings.damaged)}
        </p>
      )}
      <SettingsForm {...part(websites.title, ['websites', 'localhost'])}>
        <Lines
          label={websites.label}
          hint={websites.hint}
          text={typed.websites}
          onChange={(text) => set({ websites: text })}
        />
        <Choice
          label={websites.localhost}
          isChosen={typed.localhost}
          onChange={(localhost) => set({ localhost })}
        />
      </SettingsForm>
      <SettingsForm {...part(addresses.title, ['addresses'])}>
        <Lines
          label={addresses.label}
          hint={addresses.hint}
          text={typed.addresses}
          onChange={(text) => set({ addresses: text })}
        />
        {told.isOutside && (
          <p className={styles.warning} role="status">
            {addresses.outside(told.address)}
          </p>
        )}
      </SettingsForm>
      <SettingsForm {...part(rate.title, ['rate'])}>{line('rate', rate.label, rate.hint)}</SettingsForm>
      <SettingsForm {...part(size.title, ['documentBytes'])}>
        {line('documentBytes', size.label, size.hint(settings.serverDocumentBytes.toLocaleString()))}
      </SettingsForm>
      <SettingsForm {...part(defaults.title, ['keyDefaults'])}>
        <p className={styles.dim}>{defaults.explained}</p>
        <RulesFields
          rules={typed.keyDefaults}
          onChange={(keyDefaults) => set({ keyDefaults })}
          withApps={false}
          areDefaults
        />
      </SettingsForm>
      <EndTokens texts={tokens} path={appPath(slug)} />
    </>
  )
}

interface Typed {
  readonly slug: string
  readonly settings: AppSettings
  /** JSON of all that would be saved. */
  readonly json: string
}

/** What would hold for all keys if all that is typed were saved, as the server tells it, or what is wrong with it. */
function useSummary({ slug, settings, json }: Typed) {
  const settled = useSettled(json, SETTLES_MS)
  const isAny = settled !== '{}'
  const { data, error } = useQuery({
    queryKey: ['settings-summary', slug, settled, settings],
    queryFn: ({ signal }) =>
      askApi<AppSettings>(`${appPath(slug)}/settings/summary`, {
        method: 'POST',
        json: JSON.parse(settled),
        signal,
      }),
    enabled: isAny,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return isAny ? { told: data ?? settings, error } : { told: settings, error: null }
}

interface ToldProps {
  readonly sentence: string | null
  readonly error?: Error | null
}

function Told({ sentence, error = null }: ToldProps) {
  return (
    <section className={styles.told} aria-label={TEXTS.sums} aria-live="polite">
      {error === null ? <Value text={sentence ?? TEXTS.free} /> : <ReadProblem error={error} />}
    </section>
  )
}
