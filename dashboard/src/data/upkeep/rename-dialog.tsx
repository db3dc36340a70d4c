import { useState } from 'react'
import { useOfApp } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Field } from '../../components/field.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Value } from '../../components/value.tsx'
import type { AppKey } from '../../key-rules.ts'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import { collectionNameProblem } from '../collection-name-problem.ts'
import type { CollectionAddress } from '../documents-api.ts'
import styles from './rename-dialog.module.css'
import { renameCollection } from './upkeep-api.ts'

const { rename: texts } = UPKEEP_TEXTS

interface RenameDialogProps {
  readonly address: CollectionAddress
  readonly onRenamed: (name: string) => void
  readonly onClose: () => void
}

/** Gives a collection another name. */
export default function RenameDialog({ address, onRenamed, onClose }: RenameDialogProps) {
  const { collection } = address
  const [name, setName] = useState(collection)
  const problem = collectionNameProblem(name)
  return (
    <ActDialog
      title={texts.title(collection)}
      explained={texts.explained}
      button={texts.button}
      look="main"
      isRefused={name === collection || problem !== undefined}
      act={() => renameCollection(address, name)}
      onDone={(renamed) => onRenamed(renamed.name)}
      onClose={onClose}
    >
      <KeysThatName address={address} />
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

/** Keys whose rules name the collection; nothing where there is none. */
function KeysThatName({ address: { slug, collection } }: Pick<RenameDialogProps, 'address'>) {
  const { data: keys = [], error, refetch } = useOfApp<readonly AppKey[]>(slug, '/keys')
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  const naming = keys.filter(({ collections }) => collections?.includes(collection))
  if (naming.length === 0) return null
  return (
    <div>
      <p>{texts.keys}</p>
      <ul className={styles.keys}>
        {naming.map(({ id, name }) => (
          <li key={id}>
            <Value text={name} />
          </li>
        ))}
      </ul>
    </div>
  )
}
