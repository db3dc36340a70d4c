import { useState } from 'react'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Field } from '../../components/field.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import { collectionNameProblem } from '../collection-name-problem.ts'
import { type BinEntry, type NamedCollection, restoreCollection } from './upkeep-api.ts'

const { taken: texts } = UPKEEP_TEXTS.bin

interface RestoreAsDialogProps {
  readonly slug: string
  readonly entry: BinEntry
  readonly onDone: (restored: NamedCollection) => unknown
  readonly onClose: () => void
}

/** Restores a collection under another name than it had. */
export default function RestoreAsDialog({ slug, entry, onDone, onClose }: RestoreAsDialogProps) {
  const [name, setName] = useState(texts.suggested(entry.name))
  const problem = collectionNameProblem(name)
  return (
    <ActDialog
      title={texts.title(entry.name)}
      explained={texts.explained(entry.name)}
      button={texts.button}
      look="main"
      isRefused={problem !== undefined}
      act={() => restoreCollection(slug, entry, name)}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        name="name"
        label={texts.field}
        hint=""
        problem={name === '' ? undefined : problem}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
    </ActDialog>
  )
}
