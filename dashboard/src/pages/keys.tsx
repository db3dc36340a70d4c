import { Link } from 'wouter'
import { appPath, useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import tableStyles from '../components/table.module.css'
import { TableHead } from '../components/table-head.tsx'
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
          <Keys slug={slug} />
        </>
      )}
    </AppPage>
  )
}

function Keys({ slug }: { readonly slug: string }) {
  const { data: keys, error, refetch } = useOfApp<AppKey[]>(slug, '/keys')
  const { reading, none, noneExplained, columns } = KEY_TEXTS
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  if (keys === undefined) return <Waiting reading={reading} />
  if (keys.length === 0)
    return (
      <p className={styles.dim}>
        {none}. {noneExplained}
      </p>
    )
  return (
    <table className={tableStyles.table}>
      <TableHead columns={columns} />
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} slug={slug} appKey={key} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ slug, appKey }: { readonly slug: string; readonly appKey: AppKey }) {
  const { id, name, sentence, lastUsedAt, expires = KEY_TEXTS.never } = appKey
  const { columns, never } = KEY_TEXTS
  return (
    <tr>
      <th scope="row">
        <Link href={`${appPath(slug)}/keys/${encodeURIComponent(id)}`}>
          <Value text={name} />
        </Link>
      </th>
      <td className={styles.sentence}>
        <Value text={sentence} />
      </td>
      <td data-label={columns.where}>
        <Value text={whereOf(appKey)} />
      </td>
      <td data-label={columns.used}>{lastUsedAt === null ? never : <Time at={lastUsedAt} />}</td>
      <td data-label={columns.ends}>{expires === never ? never : <Time at={expires} />}</td>
    </tr>
  )
}

function whereOf({ websites = 'all', addresses = 'all' }: AppKey): string {
  const places = [websites, addresses].flatMap((list) => (list === 'all' ? [] : list))
  return places.length === 0 ? KEY_TEXTS.anywhere : places.join(', ')
}
