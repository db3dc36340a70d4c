import { COLUMN_TYPES, type ColumnType } from '../../../../src/import/import-options.ts'
import { parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import type { JsonObject } from '../../../../src/json/value.ts'
import fieldStyles from '../../components/field.module.css'
import { Table } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import styles from './import.module.css'
import type { FileReading, ImportPreview, PreviewColumn } from './import-api.ts'
import { LineErrorList } from './line-errors.tsx'

/** Columns whose type can be chosen here; more than a table that somebody looks at has. */
const MOST_COLUMNS = 200
const MOST_ERRORS = 5
const VALUES_SHOWN = 3
/** Of a value. */
const MOST_LETTERS = 32
/** Deeper than any document. */
const LIMITS = { nestingLevels: 1000 }

interface PreviewColumnsProps {
  readonly preview: ImportPreview
  readonly reading: FileReading
  readonly onChange: (reading: FileReading) => void
}

/** The columns of a CSV file, with what their cells are taken for. */
export function PreviewColumns({ preview, reading, onChange }: PreviewColumnsProps) {
  const { format, columns } = preview
  if (format !== 'csv' || columns.length === 0) return null
  const texts = IMPORT_TEXTS.columns
  const documents = preview.documents.map((text) => parseJson(text, LIMITS) as JsonObject)
  const choose = (name: string, type: ColumnType) => {
    const types = new Map(reading.types)
    if (type === 'auto') types.delete(name)
    else types.set(name, type)
    onChange({ ...reading, types })
  }
  return (
    <>
      <p className={styles.note}>{texts.explained}</p>
      <Table
        label={texts.title}
        columns={texts.columns}
        rows={columns.slice(0, MOST_COLUMNS)}
        keyOf={({ name }) => name}
        cells={({ name, guessed }) => ({
          name: <Value text={name} />,
          type: (
            <TypeChoice
              name={name}
              guessed={guessed}
              type={reading.types.get(name) ?? 'auto'}
              onChange={choose}
            />
          ),
          values: <FirstValues documents={documents} name={name} />,
        })}
      />
      {columns.length > MOST_COLUMNS && <p>{texts.more(columns.length - MOST_COLUMNS)}</p>}
    </>
  )
}

interface TypeChoiceProps extends PreviewColumn {
  readonly type: ColumnType
  readonly onChange: (name: string, type: ColumnType) => void
}

function TypeChoice({ name, guessed, type, onChange }: TypeChoiceProps) {
  const { types, typeOf, looksLike } = IMPORT_TEXTS.columns
  const isTold = type === 'auto' && guessed !== 'auto'
  return (
    <select
      className={fieldStyles.input}
      aria-label={showUnseen(typeOf(name))}
      value={type}
      onChange={({ currentTarget }) => onChange(name, currentTarget.value as ColumnType)}
    >
      {COLUMN_TYPES.map((each) => (
        <option key={each} value={each}>
          {each === 'auto' && isTold ? looksLike(guessed) : types[each]}
        </option>
      ))}
    </select>
  )
}

/** As JSON, by which text and numbers are told apart. */
function FirstValues({
  documents,
  name,
}: {
  readonly documents: readonly JsonObject[]
  readonly name: string
}) {
  const values = documents.flatMap((document) => {
    const value = document.get(name)
    return value === undefined ? [] : [stringify(value)]
  })
  const shown = values.slice(0, VALUES_SHOWN).map(shortened).join(', ')
  return <Value text={shown} className={styles.values} />
}

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS).toWellFormed()}…` : text
}

/** The first documents, exactly as they would be saved, and what can't be read among them. */
export function PreviewDocuments({ preview: { documents, errors } }: { readonly preview: ImportPreview }) {
  const texts = IMPORT_TEXTS.preview
  return (
    <>
      {errors.length > 0 && <LineErrorList errors={errors} most={MOST_ERRORS} />}
      {documents.length === 0 ? (
        <p role="status">{texts.none}</p>
      ) : (
        <>
          <p role="status">{texts.first(documents.length)}</p>
          <CodeEditor
            className={styles.documents}
            label={texts.label}
            language="json"
            isReadOnly
            value={documents.join('\n')}
          />
        </>
      )}
    </>
  )
}
