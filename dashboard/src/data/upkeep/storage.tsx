import type { AppSize } from '../../app-size.ts'
import { Facts } from '../../components/facts.tsx'
import styles from '../../components/rows.module.css'
import { Snippet } from '../../components/snippet.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'

const { storage: texts } = UPKEEP_TEXTS
/** Bytes that a file has free before it is worth a stop of the server. */
const WORTH_COMPACTING = 10_000_000

interface StorageProps {
  readonly slug: string
  readonly size: AppSize
}

/** The room that an app takes. */
export function Storage({ slug, size: { bytes, freeBytes } }: StorageProps) {
  return (
    <section className={styles.section} aria-labelledby="storage">
      <h2 id="storage">{texts.title}</h2>
      <Facts
        facts={[
          [texts.file, texts.ofFile(bytes)],
          [texts.free, texts.ofFree(freeBytes)],
        ]}
      />
      {freeBytes >= WORTH_COMPACTING && (
        <>
          <p className={styles.dim}>{texts.compact}</p>
          <Snippet text={texts.command(slug)} label={texts.commandLabel} />
        </>
      )}
    </section>
  )
}
