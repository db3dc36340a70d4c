import { DATA_TEXTS } from '../texts/data.ts'
import styles from './layout-switch.module.css'
import type { View } from './view-url.ts'

const LAYOUTS = Object.keys(DATA_TEXTS.layouts) as View['layout'][]

interface LayoutSwitchProps {
  readonly layout: View['layout']
  readonly onChange: (layout: View['layout']) => void
}

/** Whether documents stand as rows of a table or as JSON. */
export function LayoutSwitch({ layout, onChange }: LayoutSwitchProps) {
  return (
    <fieldset className={styles.switch}>
      <legend>{DATA_TEXTS.layout}</legend>
      {LAYOUTS.map((each) => (
        <label key={each}>
          <input type="radio" name="layout" checked={each === layout} onChange={() => onChange(each)} />
          {DATA_TEXTS.layouts[each]}
        </label>
      ))}
    </fieldset>
  )
}
