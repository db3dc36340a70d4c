import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id'> {
  readonly name: string
  readonly label: string
  /** What is shown for each value. */
  readonly options: Readonly<Record<string, string>>
}

/** One of a few values, with its label above. */
export function SelectField({ label, options, ...props }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select {...props} id={id} className={styles.input}>
        {Object.entries(options).map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  )
}
