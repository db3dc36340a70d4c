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
  /** What may become of the apps. */
  readonly fates: readonly ('delete' | 'operator')[]
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
  // Nothing that was not said may be deleted: where there are no apps, one that is made meanwhile stays where it may.
  const unsaid = data?.fates.includes('operator') === true ? 'operator' : 'delete'
  const act = (form: FormData) =>
    askApi(`${path}?apps=${String(form.get('apps') ?? unsaid)}`, { method: 'DELETE' })
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

function Consequences({ deletion: { apps, sharedApps, keys, fates } }: { readonly deletion: Deletion }) {
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
            {fates.toReversed().map((fate) => (
              <Choice key={fate} type="radio" name="apps" value={fate} label={texts.fates[fate]} required />
            ))}
          </Choices>
          {!fates.includes('operator') && <p className={formStyles.note}>{texts.onlyDelete}</p>}
        </>
      )}
      <p className={formStyles.note}>
        {apps.length === 0 && `${texts.noApps} `}
        {texts.keys(keys)} {sharedApps.length > 0 && texts.shared(sharedApps.length)}
      </p>
    </>
  )
}
