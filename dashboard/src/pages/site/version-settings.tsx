import type { ReactNode } from 'react'
import { NO_SITE_SETTINGS, type SiteSettings } from '../../../../src/sites/site-settings.ts'
import { Facts } from '../../components/facts.tsx'
import { Value } from '../../components/value.tsx'
import { SITE_TEXTS } from '../../texts/site.ts'
import styles from './site.module.css'

const { settings: TEXTS } = SITE_TEXTS

/** What the sheaf.json of a version says; what it leaves as it is by itself is not told. */
export function VersionSettings({ settings }: { readonly settings: SiteSettings }) {
  const names = Object.keys(TEXTS.names) as (keyof SiteSettings)[]
  const told = names.filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(NO_SITE_SETTINGS[name]),
  )
  if (told.length === 0) return <p className={styles.dim}>{TEXTS.none}</p>
  return (
    <>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <Facts facts={told.map((name) => [TEXTS.names[name], factOf(settings, name)])} />
    </>
  )
}

function factOf(settings: SiteSettings, name: keyof SiteSettings): ReactNode {
  switch (name) {
    case 'fallback':
    case 'notFound':
      return <Value text={settings[name] ?? TEXTS.no} />
    case 'cleanAddresses':
      return settings.cleanAddresses ? TEXTS.yes : TEXTS.no
    case 'immutable':
      return <Rules rules={settings.immutable} />
    case 'redirects':
      return <Rules rules={settings.redirects.map(({ from, to, status }) => `${from} → ${to} (${status})`)} />
    case 'headers':
      return (
        <Rules
          rules={settings.headers.flatMap(({ for: path, set }) =>
            Object.entries(set).map(([header, value]) => `${header}: ${value}, ${TEXTS.anyPath} ${path}`),
          )}
        />
      )
    default:
      return name satisfies never
  }
}

function Rules({ rules }: { readonly rules: readonly string[] }) {
  return (
    <ul>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same rule may stand there twice, and their order stays.
        <li key={index}>
          <Value text={rule} />
        </li>
      ))}
    </ul>
  )
}
