import type { Delimiter, ImportFormat } from '../../../../src/import/import-options.ts'
import { Choice } from '../../components/choice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import type { FileReading } from './import-api.ts'

const texts = IMPORT_TEXTS.reading

interface ReadingFieldsProps {
  readonly reading: FileReading
  readonly onChange: (reading: FileReading) => void
}

/** How a file is read: what was seen of it, to be changed. */
export function ReadingFields({ reading, onChange }: ReadingFieldsProps) {
  const { format = 'json', isExtended, delimiter = ',' } = reading
  return (
    <>
      <SelectField
        name="format"
        label={texts.format}
        options={texts.formats}
        value={format}
        onChange={({ currentTarget }) =>
          onChange({ ...reading, format: currentTarget.value as ImportFormat })
        }
      />
      {format === 'csv' ? (
        <SelectField
          name="delimiter"
          label={texts.delimiter}
          options={texts.delimiters}
          value={delimiter}
          onChange={({ currentTarget }) =>
            onChange({ ...reading, delimiter: currentTarget.value as Delimiter })
          }
        />
      ) : (
        <Choice
          type="checkbox"
          name="isExtended"
          label={texts.isExtended}
          checked={isExtended}
          onChange={({ currentTarget }) => onChange({ ...reading, isExtended: currentTarget.checked })}
        />
      )}
    </>
  )
}
