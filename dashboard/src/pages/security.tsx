import { useMemo, useState } from 'react'
import {
  type AppSettings,
  damagedSettings,
  type SettingName,
  type TypedSettings,
  typedSettings,
  useAppSettings,
} from '../app-settings.ts'
import { type App, appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { EndTokens } from '../components/end-tokens.tsx'
import { Field } from '../components/field.tsx'
import { ReadState } from '../components/read-state.tsx'
import { Choice, Lines, RulesFields } from '../components/rules-fields.tsx'
import { SettingsForm } from '../components/settings-form.tsx'
import { Value } from '../components/value.tsx'
import { SECURITY_TEXTS as TEXTS } from '../texts/security.ts'
import styles from './security.module.css'

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
    ...{ slug, settings, title, shown, typed, changed, damaged, unchosen },
    onChoose: (name: SettingName, isChosen: boolean) =>
      isChosen ? set({ [name]: typed[name] }) : forget([name]),
    onSaved: forget,
  })
  const line = (name: 'rate' | 'documentBytes', label: string, hint: string, problem?: string) => (
    <Field
      name={name}
      label={label}
      hint={hint}
      problem={problem}
      value={typed[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
  const { websites, addresses, rate, size, defaults, tokens } = TEXTS
  const most = settings.serverDocumentBytes.toLocaleString()
  const sizeProblem = isSize(typed.documentBytes, settings) ? undefined : size.problem(most)
  return (
    <>
      <Told sentence={settings.sentence} />
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
      </SettingsForm>
      <SettingsForm {...part(rate.title, ['rate'])}>{line('rate', rate.label, rate.hint)}</SettingsForm>
      <SettingsForm {...part(size.title, ['documentBytes'])} isWrong={sizeProblem !== undefined}>
        {line('documentBytes', size.label, size.hint(most), sizeProblem)}
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

/** Whether it is a size that the server takes, too: one above its own limit would bound nothing. */
function isSize(typed: string, { serverDocumentBytes }: AppSettings): boolean {
  const text = typed.trim()
  return text === '' || (/^\d+$/.test(text) && Number(text) > 0 && Number(text) <= serverDocumentBytes)
}

function Told({ sentence }: Pick<AppSettings, 'sentence'>) {
  return (
    <section className={styles.told} aria-label={TEXTS.sums}>
      <Value text={sentence ?? TEXTS.free} />
    </section>
  )
}
