import { useMutation } from '@tanstack/react-query'
import { appPath } from '../apps-data.ts'
import { saveConfirmed } from '../save-file.ts'
import { BACKUP_TEXTS } from '../texts/backup.ts'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'
import formStyles from './form.module.css'
import { useConfirmed } from './password-required.tsx'
import { ReadProblem } from './read-problem.tsx'

const texts = BACKUP_TEXTS.app

/** Has the browser save a backup of an app, for its owner. */
export function BackUpApp({ slug }: { readonly slug: string }) {
  const confirmed = useConfirmed()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => confirmed(() => saveConfirmed(`${appPath(slug)}/backup`)),
  })
  return (
    <ActForm title={texts.title} onSubmit={() => isPending || mutate()}>
      <p>{texts.explained}</p>
      <ReadProblem error={error} />
      <Button type="submit" isBusy={isPending}>
        {texts.button}
      </Button>
      <p role="status" className={formStyles.note}>
        {isSuccess && BACKUP_TEXTS.begun}
      </p>
    </ActForm>
  )
}
