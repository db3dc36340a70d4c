import { Link } from 'wouter'
import { type App, appPath, useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import { Waiting } from '../components/waiting.tsx'
import type { AppKey } from '../key-rules.ts'
import { CREATES } from '../shortcuts.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import styles from './keys.module.css'

export default function KeysPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="keys">
      {({ role }) => (
        <>
          <div className={styles.head}>
            <h1>{KEY_TEXTS.title}</h1>
            {role !== 'viewer' && (
              <Link href={`${appPath(slug)}/keys/new`} className={styles.create} {...CREATES}>
                {KEY_TEXTS.create}
              </Link>
            )}
          </div>
          <p className={styles.dim}>{role === 'viewer' ? KEY_TEXTS.onlyLook : KEY_TEXTS.explained}</p>
          <Keys slug={slug} role={role} />
        </>
      )}
    </AppPage>
  )
}

function Keys({ slug, role }: Pick<App, 'slug' | 'role'>) {
  const { data: keys, error, refetch } = useOfApp<AppKey[]>(slug, '/keys')
  const { reading, none, noneExplained, noneShared, columns } = KEY_TEXTS
  if (keys === undefined)
    return error === null ? <Waiting reading={reading} /> : <ReadProblem error={error} onAgain={refetch} />
  if (keys.length === 0)
    return <p className={styles.dim}>{role === 'owner' ? `${none}. ${noneExplained}` : noneShared}</p>
  return (
    <Table
      label={KEY_TEXTS.title}
      columns={columns}
      plain={['does']}
      rows={keys}
      keyOf={({ id }) => id}
      cells={(key) => ({
        name: (
          <>
            <Link href={`${appPath(slug)}/keys/${encodeURIComponent(key.id)}`}>
              <Value text={key.name} />
            </Link>
            {key.isSiteKey && <p className={styles.mark}>{KEY_TEXTS.isSiteKey}</p>}
          </>
        ),
        does: <Value text={key.sentence} />,
        where: <Value text={whereOf(key)} />,
        used: <TimeOrNever at={key.lastUsedAt} />,
        ends: <TimeOrNever at={key.expires === undefined || key.expires === 'never' ? null : key.expires} />,
      })}
    />
  )
}

function TimeOrNever({ at }: { readonly at: string | null }) {
  return at === null ? KEY_TEXTS.never : <Time at={at} />
}

function whereOf({ websites = 'all', addresses = 'all' }: AppKey): string {
  const places = [websites, addresses].flatMap((list) => (list === 'all' ? [] : list))
  return places.length === 0 ? KEY_TEXTS.anywhere : places.join(', ')
}
