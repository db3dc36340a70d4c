import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { DownloadLink } from '../../components/button-link.tsx'
import { Choice, Choices } from '../../components/choice.tsx'
import dialogStyles from '../../components/dialog.module.css'
import formStyles from '../../components/form.module.css'
import { ReadProblem } from '../../components/read-problem.tsx'
import { EXPORT_TEXTS } from '../../texts/export.ts'
import { TEXTS } from '../../texts.ts'
import { countDocuments } from '../bulk/bulk-api.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { queryOf, type View } from '../view-url.ts'
import { EXPORT_FORMATS, type ExportFormat, exportAddress } from './export-address.ts'
import styles from './export-dialog.module.css'

interface ExportDialogProps {
  readonly address: CollectionAddress
  readonly view: Pick<View, 'q' | 's' | 'f'>
  /** Names of the columns on screen; empty where it shows no table. */
  readonly columns: readonly string[]
  readonly onClose: () => void
}

interface Csv {
  /** Whether it has the columns on screen, and not every field. */
  readonly isOfShown: boolean
  readonly isGuarded: boolean
}

/** Takes documents out as a file: which of them, and in which format. */
export default function ExportDialog({ address, view, columns, onClose }: ExportDialogProps) {
  const isAsked = Object.values(queryOf(view)).some((text) => text !== undefined)
  const [isOfView, setIsOfView] = useState(isAsked)
  const [format, setFormat] = useState<ExportFormat>('ndjson')
  const [csv, setCsv] = useState<Csv>({ isOfShown: columns.length > 0, isGuarded: false })
  const [isBegun, setIsBegun] = useState(false)
  const matching = useCounted(address, view.q)
  const all = useCounted(address, '')
  const { data: count, error } = isOfView ? matching : all
  const href = exportAddress(address, {
    format,
    view: isOfView ? view : undefined,
    columns: csv.isOfShown ? columns : undefined,
    isGuarded: csv.isGuarded,
  })
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Popup className={`${dialogStyles.popup} ${styles.popup}`}>
          <Dialog.Title>{EXPORT_TEXTS.title}</Dialog.Title>
          <Dialog.Description>{EXPORT_TEXTS.explained}</Dialog.Description>
          {isAsked && (
            <Choices label={EXPORT_TEXTS.which}>
              <Choice
                type="radio"
                name="which"
                label={EXPORT_TEXTS.view(matching.data)}
                checked={isOfView}
                onChange={() => setIsOfView(true)}
              />
              <Choice
                type="radio"
                name="which"
                label={EXPORT_TEXTS.whole}
                checked={!isOfView}
                onChange={() => setIsOfView(false)}
              />
            </Choices>
          )}
          <Choices label={EXPORT_TEXTS.format}>
            {EXPORT_FORMATS.map((each) => (
              <Choice
                key={each}
                type="radio"
                name="format"
                label={EXPORT_TEXTS.formats[each]}
                checked={format === each}
                onChange={() => setFormat(each)}
              />
            ))}
          </Choices>
          {format === 'csv' && <CsvChoices columns={columns.length} choices={csv} onChange={setCsv} />}
          <ReadProblem error={error} />
          <div className={formStyles.acts}>
            {error === null && (
              <DownloadLink href={href} look="main" onClick={() => setIsBegun(true)}>
                {count === undefined ? EXPORT_TEXTS.act : EXPORT_TEXTS.counted(count)}
              </DownloadLink>
            )}
            <Button onClick={onClose}>{TEXTS.close}</Button>
          </div>
          <p role="status" className={formStyles.note}>
            {isBegun && EXPORT_TEXTS.begun}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface CsvChoicesProps {
  /** How many are on screen. */
  readonly columns: number
  readonly choices: Csv
  readonly onChange: (choices: Csv) => void
}

function CsvChoices({ columns, choices, onChange }: CsvChoicesProps) {
  const { isOfShown, isGuarded } = choices
  return (
    <>
      {columns > 0 && (
        <Choices label={EXPORT_TEXTS.columns}>
          <Choice
            type="radio"
            name="columns"
            label={EXPORT_TEXTS.shown(columns)}
            checked={isOfShown}
            onChange={() => onChange({ ...choices, isOfShown: true })}
          />
          <Choice
            type="radio"
            name="columns"
            label={EXPORT_TEXTS.allFields}
            checked={!isOfShown}
            onChange={() => onChange({ ...choices, isOfShown: false })}
          />
        </Choices>
      )}
      <div>
        <Choice
          type="checkbox"
          name="guard"
          label={EXPORT_TEXTS.guard}
          aria-describedby="guard-explained"
          checked={isGuarded}
          onChange={({ currentTarget }) => onChange({ ...choices, isGuarded: currentTarget.checked })}
        />
        <p id="guard-explained" className={formStyles.note}>
          {EXPORT_TEXTS.guardExplained}
        </p>
      </div>
    </>
  )
}

/** How many documents there are by now; also whether the query is right, and somebody signed in: a download says only that it failed. */
function useCounted(address: CollectionAddress, q: string) {
  return useQuery({
    queryKey: ['apps', address.slug, 'export-count', address.collection, q],
    queryFn: ({ signal }) => countDocuments(address, q.trim() || '{}', signal),
    staleTime: 0,
    gcTime: 0,
  })
}
