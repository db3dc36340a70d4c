import { useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { DELETION_TEXTS as texts } from '../texts/deletion.ts'
import { TEXTS } from '../texts.ts'
import { ActDialog } from './act-dialog.tsx'
import { Choice, Choices } from './choice.tsx'
import formStyles from './form.module.css'
import { ReadProblem } from './read-problem.tsx'
import { Value } from './value.tsx'
import { Waiting } from './waiting.tsx'

interface Deletion {
  readonly apps: readonly { readonly slug: string; readonly keys: number; readonly shares: number }[]
  readonly sharedApps: readonly string[]
  readonly keys: number
}

interface DeleteAccountDialogProps {
  /** Such as `/account`. */
  readonly path: string
  readonly email: string
  readonly onDone: () => unknown
  readonly onClose: () => void
}

/** Says what goes with an account, asks what becomes of its apps, and deletes it when its address was typed. */
export function DeleteAccountDialog({ path, email, onDone, onClose }: DeleteAccountDialogProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['deletion', path],
    queryFn: ({ signal }) => askApi<Deletion>(`${path}/deletion`, { signal }),
    gcTime: 0,
  })
  // Nothing that was not said may be deleted: where there are no apps, one that is made meanwhile stays.
  const act = (form: FormData) =>
    askApi(`${path}?apps=${String(form.get('apps') ?? 'operator')}`, { method: 'DELETE' })
  if (data === undefined)
    return (
      <>
        <ReadProblem error={error} onAgain={refetch} />
        {error === null && <Waiting reading={TEXTS.reading} />}
      </>
    )
  return (
    <ActDialog
      title={texts.title}
      explained={texts.explained(email)}
      button={texts.button}
      typed={email}
      act={act}
      onDone={onDone}
      onClose={onClose}
    >
      <Consequences deletion={data} />
    </ActDialog>
  )
}

function Consequences({ deletion: { apps, sharedApps, keys } }: { readonly deletion: Deletion }) {
  return (
    <>
      {apps.length > 0 && (
        <>
          <ul>
            {apps.map(({ slug, ...counts }) => (
              <li key={slug}>
                <Value text={slug} /> <span className={formStyles.note}>{texts.app(counts)}</span>
              </li>
            ))}
          </ul>
          <Choices label={texts.fate}>
            <Choice type="radio" name="apps" value="operator" label={texts.fates.operator} required />
            <Choice type="radio" name="apps" value="delete" label={texts.fates.delete} required />
          </Choices>
        </>
      )}
      <p className={formStyles.note}>
        {apps.length === 0 && `${texts.noApps} `}
        {texts.keys(keys)} {sharedApps.length > 0 && texts.shared(sharedApps.length)}
      </p>
    </>
  )
}
