import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { OnConflict } from '../../../../src/domain/on-conflict.ts'
import { Button } from '../../components/button.tsx'
import { Choice, Choices } from '../../components/choice.tsx'
import { FileChoice } from '../../components/file-choice.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { Progress } from '../../components/progress.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { guessReading } from './guess-reading.ts'
import styles from './import.module.css'
import { type FileReading, type ImportPreview, ON_CONFLICT, previewImport } from './import-api.ts'
import { ImportOutcome } from './import-outcome.tsx'
import { PreviewColumns, PreviewDocuments } from './import-preview.tsx'
import { ReadingFields } from './reading-fields.tsx'
import { useImport } from './use-import.ts'

interface ChosenFile {
  /** Another one of each choice, also where a file of the same name is chosen again. */
  readonly choice: number
  readonly file: File
  readonly reading: FileReading
}

const ACCEPTED = '.csv,.tsv,.json,.ndjson,.jsonl'

/** Brings the documents of a file into a collection, after a look at what they would be. */
export function ImportForm({ address }: { readonly address: CollectionAddress }) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const [onConflict, setOnConflict] = useState<OnConflict>('fail')
  const [skipsBad, setSkipsBad] = useState(false)
  const preview = usePreview(address, chosen)
  const importing = useImport(address)
  const { act } = importing
  const choose = (file: File) => {
    act.reset()
    setChosen({ choice: (chosen?.choice ?? 0) + 1, file, reading: guessReading(file.name) })
  }
  const read = (reading: FileReading) => {
    act.reset()
    setChosen(chosen && { ...chosen, reading })
  }
  const seen = chosen && asSeen(chosen.reading, preview.data)
  const run = (isCheck: boolean) => {
    if (chosen === undefined || seen === undefined || act.isPending) return
    act.mutate({ file: chosen.file, reading: seen, onConflict, skipsBad, isCheck })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(false)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <FileChoice
        file={chosen?.file}
        hint={IMPORT_TEXTS.hint}
        accept={ACCEPTED}
        isBusy={act.isPending}
        onFile={choose}
      />
      {chosen !== undefined && seen !== undefined && (
        <>
          <Section title={IMPORT_TEXTS.reading.title}>
            <ReadingFields reading={seen} onChange={read} />
          </Section>
          <Section title={IMPORT_TEXTS.preview.title} isWide>
            <ReadState query={preview} reading={IMPORT_TEXTS.preview.reading} />
            {preview.data !== undefined && (
              <>
                <PreviewColumns preview={preview.data} reading={seen} onChange={read} />
                <PreviewDocuments preview={preview.data} />
              </>
            )}
          </Section>
          <Section title={IMPORT_TEXTS.choices.title}>
            <Choices label={IMPORT_TEXTS.choices.conflict}>
              {ON_CONFLICT.map((each) => (
                <Choice
                  key={each}
                  type="radio"
                  name="conflict"
                  label={IMPORT_TEXTS.choices.conflicts[each]}
                  checked={each === onConflict}
                  onChange={() => setOnConflict(each)}
                />
              ))}
            </Choices>
            <Choices label={IMPORT_TEXTS.choices.bad}>
              <Choice
                type="checkbox"
                name="skipsBad"
                label={IMPORT_TEXTS.choices.skipsBad}
                checked={skipsBad}
                onChange={({ currentTarget }) => setSkipsBad(currentTarget.checked)}
              />
            </Choices>
          </Section>
          <div className={formStyles.acts}>
            <Button look="main" type="submit" isBusy={act.isPending}>
              {IMPORT_TEXTS.act}
            </Button>
            <Button isBusy={act.isPending} onClick={() => run(true)}>
              {IMPORT_TEXTS.check}
            </Button>
          </div>
          {act.isPending && (
            <>
              <Progress
                label={IMPORT_TEXTS.progress.label}
                sentBytes={importing.sentBytes}
                allBytes={chosen.file.size}
                after={
                  act.variables?.isCheck ? IMPORT_TEXTS.progress.checking : IMPORT_TEXTS.progress.importing
                }
                onStop={importing.stop}
              />
              <p className={formStyles.note}>{IMPORT_TEXTS.progress.stay}</p>
            </>
          )}
          <ImportOutcome address={address} importing={importing} />
        </>
      )}
    </form>
  )
}

/** With what the server saw by itself; that is how the file is imported. */
function asSeen(reading: FileReading, preview: ImportPreview | undefined): FileReading {
  const { format = preview?.format, delimiter = preview?.delimiter } = reading
  return { ...reading, format, delimiter }
}

/** What the beginning of a file would become; asked anew when it is to be read in another way. */
function usePreview(address: CollectionAddress, chosen: ChosenFile | undefined) {
  const { format, isExtended, delimiter, types } = chosen?.reading ?? {}
  return useQuery<ImportPreview>({
    queryKey: [
      'import-preview',
      address.slug,
      address.collection,
      chosen?.choice,
      { format, isExtended, delimiter, types: types && [...types] },
    ],
    queryFn: ({ signal }) => previewImport(address, chosen!.file, chosen!.reading, signal),
    enabled: chosen !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
