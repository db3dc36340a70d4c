import styles from './segmented-switch.module.css'

interface SegmentedSwitchProps<Value extends string> {
  /** Of the parameter or field that it stands for. */
  readonly name: string
  readonly label: string
  /** What is shown for each value, in their order. */
  readonly options: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One of a few values, all of which are seen. */
export function SegmentedSwitch<Value extends string>({
  name,
  label,
  options,
  value,
  onChange,
}: SegmentedSwitchProps<Value>) {
  return (
    <fieldset className={styles.switch}>
      <legend>{label}</legend>
      {(Object.keys(options) as Value[]).map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          {options[each]}
        </label>
      ))}
    </fieldset>
  )
}
