import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Table } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import type { DeployedFile } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { byteCount } from '../../texts.ts'
import styles from './site.module.css'

const { files: TEXTS } = SITE_TEXTS

/** How many are shown at first, and by each press of a button. */
const SHOWN = 100

/** The files of a version, all or those that have something in their paths. */
export function VersionFiles({ files }: { readonly files: readonly DeployedFile[] }) {
  const [part, setPart] = useState('')
  const [most, setMost] = useState(SHOWN)
  const found = files.filter(({ path }) => path.toLowerCase().includes(part.toLowerCase()))
  return (
    <>
      {files.length > SHOWN && (
        <search className={styles.search}>
          <Field
            name="part"
            label={TEXTS.search}
            value={part}
            onChange={({ currentTarget }) => {
              setPart(currentTarget.value)
              setMost(SHOWN)
            }}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        </search>
      )}
      {found.length === 0 ? (
        <div role="status" className={styles.none}>
          <p>{TEXTS.none(files.length)}</p>
          <Button onClick={() => setPart('')}>{TEXTS.clear}</Button>
        </div>
      ) : (
        <Table
          label={TEXTS.title}
          columns={TEXTS.columns}
          rows={found.slice(0, most)}
          keyOf={({ path }) => path}
          cells={({ path, bytes, type }) => ({
            path: <Value text={path} />,
            bytes: byteCount(bytes),
            type: <Value text={type} />,
          })}
        />
      )}
      {found.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + SHOWN)}>
          {TEXTS.more(Math.min(SHOWN, found.length - most))}
        </Button>
      )}
    </>
  )
}
