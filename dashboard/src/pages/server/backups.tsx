import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Facts } from '../../components/facts.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { saveConfirmed } from '../../save-file.ts'
import { BACKUP_TEXTS } from '../../texts/backup.ts'
import { byteCount } from '../../texts.ts'
import styles from './backups.module.css'

interface DescribedBackups {
  /** Null where there is none, and nothing of a schedule either. */
  readonly folder: string | null
  readonly every: string | null
  readonly keep: number | null
  readonly nextAt: string | null
  readonly isUnderWay: boolean
  readonly lastSuccess: { readonly at: string; readonly name: string; readonly bytes: number } | null
  /** Null where the last one went well. */
  readonly lastFailure: { readonly at: string; readonly message: string } | null
  readonly backups: readonly { readonly name: string; readonly bytes: number; readonly madeAt: string }[]
}

const texts = BACKUP_TEXTS.server
const KEY = ['server', 'backups'] as const
/** While one is made. */
const ASKED_EVERY_MS = 2_000

/** Backups of everything: those that are made by the clock, and one to be saved by the browser. */
export function Backups() {
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<DescribedBackups>('/server/backups', { signal }),
    refetchInterval: ({ state }) => (state.data?.isUnderWay ? ASKED_EVERY_MS : false),
  })
  const { data } = query
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadState query={query} reading={texts.reading} />
      {data !== undefined && <Schedule described={data} />}
      <Download />
    </Section>
  )
}

function Schedule({ described }: { readonly described: DescribedBackups }) {
  const { folder, every, keep, nextAt, isUnderWay, lastSuccess, lastFailure, backups } = described
  if (folder === null) return <p>{texts.noSchedule}</p>
  return (
    <>
      {lastFailure !== null && (
        <div role="alert" className={styles.failure}>
          <p>
            {texts.failed} <Time at={lastFailure.at} />:
          </p>
          <p>
            <Value text={lastFailure.message} />
          </p>
        </div>
      )}
      <Facts
        facts={[
          [texts.folder, <Value key="folder" text={folder} />],
          [texts.schedule, texts.ofSchedule(every, keep ?? 0)],
          ...(nextAt === null ? [] : [[texts.next, <Time key="next" at={nextAt} />] as const]),
          [
            texts.last,
            lastSuccess === null ? (
              texts.noneYet
            ) : (
              <span key="last">
                <Time at={lastSuccess.at} />, {byteCount(lastSuccess.bytes)}
              </span>
            ),
          ],
        ]}
      />
      {backups.length > 0 && (
        <Table
          label={texts.kept}
          columns={texts.columns}
          rows={backups}
          keyOf={({ name }) => name}
          cells={({ name, bytes, madeAt }) => ({
            name: <Value text={name} />,
            size: byteCount(bytes),
            made: <Time at={madeAt} />,
          })}
        />
      )}
      <MakeNow isUnderWay={isUnderWay} isFailureTold={lastFailure !== null} />
    </>
  )
}

interface MakeNowProps {
  readonly isUnderWay: boolean
  /** Whether it is said above why the last one failed. */
  readonly isFailureTold: boolean
}

function MakeNow({ isUnderWay, isFailureTold }: MakeNowProps) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => confirmed(() => askApi('/server/backups', { method: 'POST' })),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
  const isBusy = isPending || isUnderWay
  return (
    <>
      <ReadProblem error={isFailureTold && isOfServer(error) ? null : error} />
      <div className={formStyles.acts}>
        <Button isBusy={isBusy} onClick={() => isBusy || mutate()}>
          {texts.make}
        </Button>
        <span role="status" className={formStyles.note}>
          {isBusy && texts.making}
        </span>
      </div>
    </>
  )
}

function isOfServer(error: Error | null): boolean {
  return error instanceof ApiError && error.status >= 500
}

/** A backup that is made for whoever asks, and kept nowhere here. */
function Download() {
  const confirmed = useConfirmed()
  const [hasSecrets, setHasSecrets] = useState(true)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () =>
      confirmed(() =>
        saveConfirmed(`/server/backup?${new URLSearchParams({ secrets: String(hasSecrets) })}`),
      ),
  })
  return (
    <>
      <h3>{texts.download}</h3>
      <div>
        <Choice
          type="checkbox"
          name="hasSecrets"
          label={texts.secrets}
          aria-describedby="secrets-explained"
          checked={hasSecrets}
          onChange={({ currentTarget }) => setHasSecrets(currentTarget.checked)}
        />
        <p id="secrets-explained" className={formStyles.note}>
          {hasSecrets ? texts.withSecrets : texts.withoutSecrets}
        </p>
      </div>
      <ReadProblem error={error} />
      <div className={formStyles.acts}>
        <Button isBusy={isPending} onClick={() => isPending || mutate()}>
          {texts.save}
        </Button>
        <span role="status" className={formStyles.note}>
          {isSuccess && BACKUP_TEXTS.begun}
        </span>
      </div>
    </>
  )
}
