import { Facts } from '../../components/facts.tsx'
import { Mark } from '../../components/mark.tsx'
import { Section } from '../../components/page.tsx'
import type { DiskLevel } from '../../components/server-warnings.tsx'
import { Table } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { byteCount, counted } from '../../texts.ts'
import styles from './storage.module.css'

/** A database file and its write-ahead log. */
interface DatabaseBytes {
  readonly bytes: number
  readonly walBytes: number
}

interface LargeApp extends DatabaseBytes {
  readonly slug: string
  readonly owner: string | null
  readonly isDeleted: boolean
}

export interface StorageSizes {
  readonly freeBytes: number
  readonly diskBytes: number
  readonly level: DiskLevel
  readonly control: DatabaseBytes
  readonly apps: DatabaseBytes & { readonly count: number }
  readonly largestApps: readonly LargeApp[]
}

const texts = SERVER_TEXTS.storage

export function Storage({ storage }: { readonly storage: StorageSizes }) {
  const { freeBytes, diskBytes, level, control, apps, largestApps } = storage
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <Facts
        facts={[
          [
            texts.disk,
            <span key="disk">
              {texts.free(byteCount(freeBytes), byteCount(diskBytes))}
              {level !== 'enough' && <span className={styles.level}>{texts.level[level]}</span>}
            </span>,
          ],
          [
            texts.apps,
            texts.ofApps(counted(apps.count, 'app'), byteCount(apps.bytes), byteCount(apps.walBytes)),
          ],
          [texts.control, texts.ofControl(byteCount(control.bytes), byteCount(control.walBytes))],
        ]}
      />
      {level !== 'enough' && <WaysToMakeRoom />}
      <h3>{texts.largest}</h3>
      {largestApps.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <Table
          label={texts.largest}
          columns={texts.columns}
          rows={largestApps}
          keyOf={({ slug }) => slug}
          cells={({ slug, owner, isDeleted, bytes, walBytes }) => ({
            app: (
              <>
                <Value text={slug} /> {isDeleted && <Mark>{texts.deleted}</Mark>}
              </>
            ),
            owner: owner === null ? texts.ofOperator : <Value text={owner} />,
            size: byteCount(bytes),
            log: byteCount(walBytes),
          })}
        />
      )}
    </Section>
  )
}

function WaysToMakeRoom() {
  const { title, explained, ways } = texts.room
  return (
    <>
      <h3>{title}</h3>
      <p>{explained}</p>
      <ul className={styles.ways}>
        {ways.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </>
  )
}
