import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { askApi } from '../../api.ts'
import { appPath, useOfApp } from '../../apps-data.ts'
import { Choice } from '../../components/choice.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { type AppIndex, indexesPage, useIndexes } from '../../indexes-data.ts'
import { PERFORMANCE_TEXTS } from '../../texts/performance.ts'
import { byteCount, counted } from '../../texts.ts'
import { IndexReason, IndexUses } from './index-facts.tsx'
import styles from './performance.module.css'

const { automatic: TEXTS, in: IN } = PERFORMANCE_TEXTS
const PATH = '/auto-index'

interface OfApp {
  readonly slug: string
}

interface AutoIndex {
  /** For the app. */
  readonly on: boolean
  /** Whether the server makes any at all. */
  readonly server: boolean
}

/** The indexes that were made without being asked for, and whether more are. */
export function AutomaticIndexes({ slug, isOwner }: OfApp & { readonly isOwner: boolean }) {
  const query = useIndexes({ slug })
  const automatic = query.data?.filter((index) => index.automatic)
  return (
    <section className={styles.section} aria-labelledby="automatic">
      <h2 id="automatic">{TEXTS.title}</h2>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <Switch slug={slug} isOwner={isOwner} />
      <ReadState query={query} reading={TEXTS.reading} />
      {automatic?.length === 0 && <p>{TEXTS.none}</p>}
      {automatic !== undefined && automatic.length > 0 && <Indexes slug={slug} indexes={automatic} />}
    </section>
  )
}

function Switch({ slug, isOwner }: OfApp & { readonly isOwner: boolean }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const { data, error, refetch } = useOfApp<AutoIndex>(slug, PATH)
  const put = useMutation({
    mutationFn: (on: boolean) =>
      confirmed(() => askApi<AutoIndex>(`${appPath(slug)}${PATH}`, { method: 'PUT', json: { on } })),
    onSuccess: (now) => client.setQueryData(['apps', slug, PATH], now),
  })
  if (data === undefined) return <ReadProblem error={error} onAgain={refetch} />
  // As it will be, while it is being asked for.
  const isOn = put.isPending ? put.variables : data.on
  return (
    <>
      {!data.server && <p>{TEXTS.serverOff}</p>}
      {isOwner ? (
        <Choice
          type="checkbox"
          name="on"
          label={TEXTS.label}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => put.mutate(checked)}
        />
      ) : (
        <p>{isOn ? TEXTS.on : TEXTS.off}</p>
      )}
      {!isOn && <p className={styles.dim}>{TEXTS.stay}</p>}
      <ReadProblem error={put.error} />
    </>
  )
}

function Indexes({ slug, indexes }: OfApp & { readonly indexes: readonly AppIndex[] }) {
  return (
    <Table
      label={TEXTS.title}
      columns={TEXTS.columns}
      rows={indexes}
      keyOf={({ collection, fields }) => `${collection}\0${fields}`}
      cells={(index) => ({
        index: <IndexLink slug={slug} index={index} />,
        reason: (
          <>
            <Time at={index.createdAt} />
            <IndexReason index={index} />
          </>
        ),
        uses: <IndexUses index={index} />,
        spared: counted(index.spared ?? 0, 'document'),
        size: byteCount(index.bytes),
      })}
    />
  )
}

/** Where an index is dropped. */
export function IndexLink({ slug, index: { collection, fields } }: OfApp & { readonly index: AppIndex }) {
  return (
    <>
      <Link href={indexesPage({ slug, collection })}>
        <Value text={fields} />
      </Link>{' '}
      <span className={styles.where}>
        {IN} <Value text={collection} />
      </span>
    </>
  )
}
