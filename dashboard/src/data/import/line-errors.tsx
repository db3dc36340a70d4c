import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Value } from '../../components/value.tsx'
import { saveText } from '../../save-file.ts'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import { formatErrors } from './format-errors.ts'
import styles from './import.module.css'
import type { LineError } from './import-api.ts'

const texts = IMPORT_TEXTS.errors

interface LineErrorListProps {
  readonly errors: readonly LineError[]
  /** How many are shown. */
  readonly most: number
}

/** The first lines that can't be read, and why. */
export function LineErrorList({ errors, most }: LineErrorListProps) {
  const beyond = errors.length - most
  return (
    <ul className={styles.errors} aria-label={texts.title}>
      {errors.slice(0, most).map(({ line, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several, and they are drawn anew together.
        <li key={index}>
          <Value text={texts.line(line, message)} />
        </li>
      ))}
      {beyond > 0 && <li>{texts.more(beyond)}</li>}
    </ul>
  )
}

const MOST_SHOWN = 50

/** The lines that can't be read, of which all can be saved as a file. */
export function LineErrors({ errors }: { readonly errors: readonly LineError[] }) {
  return (
    <>
      <LineErrorList errors={errors} most={MOST_SHOWN} />
      <div className={formStyles.acts}>
        <Button onClick={() => saveText(formatErrors(errors), { name: texts.file, type: 'text/csv' })}>
          {texts.save}
        </Button>
      </div>
    </>
  )
}
